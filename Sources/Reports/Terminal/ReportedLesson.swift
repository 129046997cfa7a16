// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The facts that a report has to know of a lesson before its examples have run.
public struct ReportedLesson: Sendable {
  /// Its id, such as `lesson-05`.
  public var id: String
  /// Its title in English.
  public var title: String
  /// The ids of the examples that the run is of.
  public var examples: [String]
  /// Examples that do the same job in the two columns.
  public var pairs: [ExamplePair]
  /// The figure that it is about.
  public var subject: Subject?
  /// The details that the report shows of every example.
  public var shows: [LessonDetail]

  /// Reads a lesson, for a run of these of its examples.
  public init(_ lesson: Lesson, examples: [String]) {
    (id, title, self.examples) = (lesson.id, lesson.title, examples)
    (pairs, subject, shows) = (lesson.pairs, lesson.subject, lesson.shows)
  }

  /// Reads the result of a lesson.
  public init(_ lesson: LessonResult) {
    (id, title, examples) = (lesson.id, lesson.title, lesson.examples.map(\.id))
    (pairs, subject, shows) = (lesson.pairs, lesson.subject, lesson.shows)
  }
}
