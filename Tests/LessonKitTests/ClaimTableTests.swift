// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@Suite struct ClaimTableTests {
  @Test func `all 115 claims of the five notes stand in it once`() {
    #expect(ClaimTable.rows.count == 115)
    #expect(Set(ClaimTable.rows.map(\.id)).count == 115)
    #expect(
      ClaimTable.rows.map(\.note).reduce(into: [:]) { $0[$1, default: 0] += 1 } == [
        "N1": 38, "N2": 18, "N3": 24, "N4": 19, "N5": 16,
      ])
  }

  @Test func `every claim has a sentence and a lesson of the course`() {
    for row in ClaimTable.rows + ClaimTable.checks {
      #expect(row.sentence.hasSuffix("."), "\(row.id)")
      #expect(!row.lessons.isEmpty && row.lessons.allSatisfy { (1...27).contains($0) }, "\(row.id)")
    }
  }

  @Test func `every claim quotes a line of its note, in at most 42 characters`() {
    for row in ClaimTable.rows {
      #expect((4...42).contains(row.quote.count), "\(row.id)")
      #expect((row.line ?? 0) > 0, "\(row.id)")
      #expect(ClaimTable.notes[row.note] != nil, "\(row.id)")
    }
  }

  @Test
  func `77 are expected to be confirmed, 20 qualified, 5 refuted, 8 defects shown, and 5 are left to the measurement`()
  {
    let counts = ClaimTable.rows.map { $0.expected?.rawValue ?? "open" }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    #expect(counts == ["confirmed": 77, "qualified": 20, "refuted": 5, "defectShown": 8, "open": 5])
    #expect(
      ClaimTable.rows.filter { $0.expected == nil }.map(\.id) == ["N1-21", "N1-32", "N1-33", "N3-16", "N5-16"])
  }

  @Test func `a qualified claim says its condition`() {
    for row in ClaimTable.rows where row.expected == .qualified {
      #expect(!row.condition.isEmpty, "\(row.id)")
    }
  }

  @Test func `a claim that repeats another names one that repeats none, with its verdict and evidence`() {
    let repeats = ClaimTable.rows.filter { $0.sameAs != nil }
    #expect(
      repeats.map { [$0.id, $0.sameAs] } == [
        ["N2-06", "N1-11"], ["N4-11", "N1-22"], ["N5-02", "N2-05"], ["N5-11", "N4-05"],
      ])
    for row in repeats {
      let original = row.sameAs.flatMap { ClaimTable[$0] }
      #expect(original != nil && original?.sameAs == nil, "\(row.id)")
      #expect(original?.expected == row.expected && original?.evidence == row.evidence, "\(row.id)")
    }
  }

  @Test func `a sum counts a repeated claim once, also where its original is not among the claims`() {
    #expect(ClaimTable.counted(ClaimTable.rows.map(\.id)).count == 111)
    #expect(ClaimTable.counted(["N5-02", "N2-05"]) == ["N2-05"])
    #expect(ClaimTable.counted(["N5-02", "P19-01"]) == ["N2-05", "P19-01"])
  }

  @Test func `the texts are all sentences and conditions, each once`() {
    #expect(Set(ClaimTable.texts).count == ClaimTable.texts.count)
    for row in ClaimTable.rows + ClaimTable.checks {
      #expect(ClaimTable.texts.contains(row.sentence), "\(row.id)")
      #expect(row.condition.isEmpty || ClaimTable.texts.contains(row.condition), "\(row.id)")
    }
  }

  @Test func `lesson 5 settles its thirteen claims`() {
    #expect(
      ClaimTable.rows(ofLesson: 5).map(\.id) == [
        "N1-10", "N1-11", "N1-12", "N1-14", "N1-15", "N2-01", "N2-06", "N2-10", "N2-11", "N2-12", "N3-12", "N3-17",
        "N3-20",
      ])
  }

  @Test func `lesson 19 checks six cache policies, lesson 26 five changes of state`() {
    #expect(ClaimTable.checks(ofLesson: 19).map(\.id) == (1...6).map { "P19-0\($0)" })
    #expect(ClaimTable.checks(ofLesson: 26).map(\.id) == (1...5).map { "P26-0\($0)" })
    #expect(ClaimTable.rows(ofLesson: 26).isEmpty)
  }

  @Test func `a check has no note, no quotation and no line`() {
    for row in ClaimTable.checks {
      #expect(row.note.isEmpty && row.quote.isEmpty && row.line == nil && row.sameAs == nil, "\(row.id)")
    }
  }

  @Test func `a claim or check is found by its name`() {
    #expect(ClaimTable["N2-12"]?.expected == .refuted)
    #expect(ClaimTable["P19-06"]?.lessons == [19])
    #expect(ClaimTable["N9-01"] == nil)
  }
}
