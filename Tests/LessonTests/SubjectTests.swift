// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Lessons
import Testing

/// What each lesson says that it is about.
@Suite struct SubjectTests {
  private let texts = LessonText(environment: [:])

  /// The lessons whose question is one that two right programs answer.
  private static let withoutWrongForm = [
    "lesson-05", "lesson-14", "lesson-20", "lesson-21", "lesson-26",
  ]

  @Test(arguments: Course.catalog.lessons.map(\.number))
  func `a lesson's subject names two of its examples, the wrong form first`(_ number: Int) throws {
    let lesson = try Course.catalog.lesson(named: "\(number)")
    let subject = try #require(lesson.subject)
    let examples = subject.examples.compactMap { id in lesson.examples.first { $0.id == id } }
    #expect(examples.count == 2 && Set(subject.examples).count == 2 && !subject.title.isEmpty)
    #expect(subject.hasWrongForm != Self.withoutWrongForm.contains(lesson.id))
    guard subject.hasWrongForm, let wrong = examples.first, let right = examples.last else { return }
    let text = try texts.text(of: lesson, in: .english)
    #expect(
      wrong.title.contains("(defective") || text.contains("wrong \(wrong.file)#"), "\(wrong.id) is no wrong form")
    #expect(!right.title.contains("(defective"), "\(right.id)")
  }
}
