// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Reports
import Testing

/// What every lesson must have, whatever it is about.
@Suite struct LessonFilesTests {
  private let texts = LessonText(environment: [:])

  @Test(arguments: Course.catalog.lessons.map(\.number))
  func `every example's source is a screen long at most and shows nothing of the measuring`(_ number: Int) throws {
    let lesson = try Course.catalog.lesson(named: "\(number)")
    for example in lesson.examples {
      let source = try texts.source(of: example, in: lesson)
      // The line break at the file's end begins no line of its own, and marks are not shown.
      let lines = source.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        .filter { CodeExcerpt.mark(in: $0) == nil }
      #expect(lines.count <= 60, "\(example.file)")
      #expect(lines.allSatisfy { $0.count <= 78 }, "\(example.file) fits into one of two columns")
      #expect(!source.contains("import Timeline") && !source.contains("Clock"), "\(example.file)")
      #expect(source.contains("/// "), "\(example.file) says what it shows")
    }
  }

  @Test func `the doctor finds every lesson in order`() {
    #expect(LessonInspection(Course.catalog.lessons, root: LessonText.builtFolder).faults() == [])
  }

  @Test(arguments: Course.catalog.lessons.map(\.number))
  func `both texts name every example and every claim`(_ number: Int) throws {
    let lesson = try Course.catalog.lesson(named: "\(number)")
    for language in Language.allCases {
      let text = try texts.text(of: lesson, in: language)
      for claim in lesson.claims { #expect(text.contains(claim.id), "\(language): \(claim.id)") }
      for example in lesson.examples where !example.id.contains("/without-") {
        #expect(text.contains("`\(example.id)`"), "\(language): \(example.id)")
      }
    }
  }

  @Test(arguments: Course.catalog.lessons.map(\.number))
  func `a lesson settles exactly the claims of its row, from examples it has`(_ number: Int) throws {
    let lesson = try Course.catalog.lesson(named: "\(number)")
    #expect(lesson.claims.map(\.id) == ClaimTable.rows(ofLesson: number).map(\.id))
    let examples = Set(lesson.examples.map(\.id))
    for claim in lesson.claims {
      #expect(!claim.needs.isEmpty && claim.needs.allSatisfy(examples.contains), "\(claim.id)")
    }
    #expect(examples.count == lesson.examples.count)
  }

  @Test(arguments: Course.catalog.lessons.map(\.number), Language.allCases)
  func `the figures in a text are those of the record`(_ number: Int, _ language: Language) throws {
    let lesson = try Course.catalog.lesson(named: "\(number)")
    guard let figures = try texts.record().lessons[lesson.id] else { return }
    let text = try texts.text(of: lesson, in: language)
    #expect(FigureTable(figures, in: language).filledIn(text) == text, "Scripts/figures \(number) fills them in")
    #expect(Set(figures.examples.map(\.id)) == Set(lesson.examples.map(\.id)), "Scripts/figures \(number) renews them")
  }
}
