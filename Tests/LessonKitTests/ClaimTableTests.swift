// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@Suite struct ClaimTableTests {
  @Test func `all 107 claims of the five notes stand in it once`() {
    #expect(ClaimTable.rows.count == 107)
    #expect(Set(ClaimTable.rows.map(\.id)).count == 107)
    #expect(
      ClaimTable.rows.map(\.note).reduce(into: [:]) { $0[$1, default: 0] += 1 } == [
        "N1": 37, "N2": 17, "N3": 22, "N4": 16, "N5": 15,
      ])
  }

  @Test func `every claim has a sentence and a lesson of the course,`() {
    for row in ClaimTable.rows {
      #expect(row.sentence.hasSuffix("."), "\(row.id)")
      #expect(!row.lessons.isEmpty && row.lessons.allSatisfy { (1...27).contains($0) }, "\(row.id)")
    }
  }

  @Test func `lesson 5 settles its thirteen claims`() {
    #expect(
      ClaimTable.rows(ofLesson: 5).map(\.id) == [
        "N1-10", "N1-11", "N1-12", "N1-14", "N1-15", "N2-01", "N2-06", "N2-10", "N2-11", "N2-12", "N3-12", "N3-17",
        "N3-20",
      ])
  }

  @Test func `a claim is found by its name`() {
    #expect(ClaimTable["N2-12"]?.expected == .refuted)
    #expect(ClaimTable["N9-01"] == nil)
  }
}
