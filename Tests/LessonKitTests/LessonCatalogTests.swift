// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@Suite struct LessonCatalogTests {
  private let catalog = LessonCatalog([
    Lesson(number: 5, slug: "delegate-progress", title: "", minutes: 1, examples: [], claims: []),
    Lesson(number: 12, slug: "network-thread", title: "", minutes: 1, examples: [], claims: []),
  ])

  @Test(arguments: ["lesson-05", "05", "5", "delegate-progress", "Delegate-Progress", "lesson-05-delegate-progress"])
  func `a lesson is found by any of its names`(_ name: String) throws {
    #expect(try catalog.lesson(named: name).number == 5)
  }

  @Test func `an unknown name is answered with the closest`() {
    let error = #expect(throws: LessonKitError.self) { try catalog.lesson(named: "network-tread") }
    #expect(error?.code == .unknownName)
    #expect(
      error?.description == "There is no lesson “network-tread”. The closest are lesson-12 (network-thread), "
        + "lesson-05 (delegate-progress). “workbench list” shows all.")
  }

  @Test(arguments: ["lesson-5x", "5x", "lesson5"])
  func `a number in an unknown name comes first`(_ name: String) {
    let error = #expect(throws: LessonKitError.self) { try catalog.lesson(named: name) }
    #expect(error?.description.contains("The closest are lesson-05 (delegate-progress), ") == true)
  }
}
