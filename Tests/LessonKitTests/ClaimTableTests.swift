// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@Suite struct ClaimTableTests {
  @Test func `the claims of the five notes and the checks stand in it once`() {
    let ids = (ClaimTable.rows + ClaimTable.checks).map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(ClaimTable.rows.map(\.note)) == Set(ClaimTable.notes.keys))
    #expect(Set(ClaimTable.notes.keys) == ["N1", "N2", "N3", "N4", "N5"])
  }

  @Test func `every claim has a sentence and a lesson of the course`() {
    for row in ClaimTable.rows + ClaimTable.checks {
      #expect(row.sentence.hasSuffix("."), "\(row.id)")
      #expect(!row.lessons.isEmpty && row.lessons.allSatisfy { $0 > 0 }, "\(row.id)")
    }
  }

  @Test func `every claim quotes a line of its note, in at most 42 characters`() {
    for row in ClaimTable.rows {
      #expect((4...42).contains(row.quote?.count ?? 0), "\(row.id)")
      #expect((row.line ?? 0) > 0, "\(row.id)")
      #expect(ClaimTable.notes[row.note] != nil, "\(row.id)")
    }
  }

  @Test func `a table that is none is refused with its file's name, and one that is absent with its place`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let absent = #expect(throws: LessonKitError.self) { try ClaimTable(below: folder) }
    #expect(absent?.code == .environment && "\(absent?.description ?? "")".contains(folder.path))
    try Data("claims: 5".utf8).write(to: folder.appendingPathComponent(ClaimTable.file))
    let none = #expect(throws: LessonKitError.self) { try ClaimTable(below: folder) }
    #expect(none?.code == .unreadable && "\(none?.description ?? "")".contains("claims.yml"))
  }

  @Test func `a qualified claim says its condition`() {
    for row in ClaimTable.rows where row.expected == .qualified {
      #expect(row.condition?.isEmpty == false, "\(row.id)")
    }
  }

  @Test func `a claim that repeats another names one that repeats none, with its verdict and evidence`() {
    let repeats = ClaimTable.rows.filter { $0.sameAs != nil }
    for row in repeats {
      let original = row.sameAs.flatMap { ClaimTable[$0] }
      #expect(original != nil && original?.sameAs == nil, "\(row.id)")
      #expect(original?.expected == row.expected && original?.evidence == row.evidence, "\(row.id)")
    }
  }

  @Test func `a sum counts a repeated claim once, also where its original is not among the claims`() {
    let repeats = ClaimTable.rows.count { $0.sameAs != nil }
    #expect(ClaimTable.counted(ClaimTable.rows.map(\.id)).count == ClaimTable.rows.count - repeats)
    #expect(ClaimTable.counted(["N5-02", "N2-05"]) == ["N2-05"])
    #expect(ClaimTable.counted(["N5-02", "P19-01"]) == ["N2-05", "P19-01"])
  }

  @Test func `the texts are all sentences and conditions, each once`() {
    #expect(Set(ClaimTable.texts).count == ClaimTable.texts.count)
    for row in ClaimTable.rows + ClaimTable.checks {
      #expect(ClaimTable.texts.contains(row.sentence), "\(row.id)")
      #expect(row.condition.map(ClaimTable.texts.contains) ?? true, "\(row.id)")
    }
  }

  @Test func `a lesson has the rows that name it, and a check the lesson that its id names`() {
    #expect(ClaimTable.rows(ofLesson: 5).allSatisfy { $0.lessons.contains(5) } && !ClaimTable.rows(ofLesson: 5).isEmpty)
    for row in ClaimTable.checks { #expect(row.lessons == [Int(row.id.dropFirst().prefix(2)) ?? 0], "\(row.id)") }
    #expect(ClaimTable.rows(ofLesson: 26).isEmpty)
  }

  @Test func `a check has no note, no quotation and no line`() {
    for row in ClaimTable.checks {
      #expect(row.note.isEmpty && row.quote == nil && row.line == nil && row.sameAs == nil, "\(row.id)")
    }
  }

  @Test func `a claim or check is found by its name`() {
    #expect(ClaimTable["N2-12"]?.expected == .refuted)
    #expect(ClaimTable["P19-06"]?.lessons == [19])
    #expect(ClaimTable["N9-01"] == nil)
  }
}
