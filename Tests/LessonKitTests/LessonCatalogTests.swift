// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@Suite struct LessonCatalogTests {
  private let catalog = LessonCatalog([
    Lesson(number: 5, slug: "delegate-progress", title: "", minutes: 1, examples: [], claims: []),
    Lesson(number: 12, slug: "network-thread", title: "", minutes: 1, examples: [], claims: []),
  ])

  @Test(arguments: [
    "lesson-05", "05", "5", "delegate-progress", "Delegate-Progress", "lesson-05-delegate-progress", "lesson-5",
  ])
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

  @Test(arguments: ["lesson-5x", "5x"])
  func `a number in an unknown name comes first`(_ name: String) {
    let error = #expect(throws: LessonKitError.self) { try catalog.lesson(named: name) }
    #expect(error?.description.contains("The closest are lesson-05 (delegate-progress), ") == true)
  }

  @Test func `a number out of range is answered with the range`() {
    let error = #expect(throws: LessonKitError.self) { try catalog.lesson(meantBy: "lesson-28") }
    #expect(
      error?.description == "There is no lesson 28: they are numbered 5 to 12. “workbench list” shows all.")
  }

  @Test(arguments: ["delegat", "progress", "deleg", "delegate-progres", "Delegaet-Progres"])
  func `a person means the only lesson whose name begins so, holds it, or differs by a slip`(_ name: String) throws {
    #expect(try catalog.lesson(meantBy: name).number == 5)
    #expect(throws: LessonKitError.self) { try catalog.lesson(named: name) }
  }

  @Test func `a name that may mean several lessons is answered with them`() {
    let both = #expect(throws: LessonKitError.self) { try catalog.lesson(meantBy: "lesson") }
    #expect(
      both?.description
        == "“lesson” may mean lesson-05 (delegate-progress), lesson-12 (network-thread). Name one of them.")
  }

  @Test(arguments: ["lesson-5x", "13x", "x", ""]) func `what is far from every name means none`(_ name: String) {
    let error = #expect(throws: LessonKitError.self) { try catalog.lesson(meantBy: name) }
    #expect(error?.description.hasPrefix("There is no lesson “\(name)”.") == true)
  }
}
