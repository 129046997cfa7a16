// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A lesson: examples of the Connection way beside examples of the Session way, and the claims they settle.
public struct Lesson: Sendable {
  /// Its number in the course.
  public var number: Int
  /// Its name in file names and commands, such as `delegate-progress`.
  public var slug: String
  /// Its title in English.
  public var title: String
  /// How long reading and running it takes, in minutes.
  public var minutes: Int
  /// Its folder below the folder of lessons.
  public var folder: String { "lesson-\(twoDigits)-\(slug)" }
  /// Its programs, Connection first, in the order in which they run.
  public var examples: [Example]
  /// How its claims are settled, in the order of the table of claims.
  public var claims: [Claim]
  /// The pitfall checks: what its examples show beyond the claims of the notes.
  public var checks: [Claim] = []
  /// Examples that do the same job in the two columns.
  public var pairs: [ExamplePair] = []
  /// The details that the report shows of every example.
  public var shows: [LessonDetail] = []
  /// The figure that it is about, and the examples that show it; nil around a program of a person's own.
  public var subject: Subject?
  /// The question that a run of the lesson answers.
  public var prediction: Prediction?
  /// Small first loads from the given address, one per side, that bring everything lazy into memory before a baseline
  /// is taken. Run on the main thread of the example's process.
  public var warmUp: [Side: @Sendable (URL) -> Void]

  /// A lesson as given.
  public init(
    number: Int, slug: String, title: String, minutes: Int, examples: [Example], claims: [Claim],
    warmUp: [Side: @Sendable (URL) -> Void] = [:]
  ) {
    self.number = number
    self.slug = slug
    self.title = title
    self.minutes = minutes
    self.examples = examples
    self.claims = claims
    self.warmUp = warmUp
  }

  /// The lesson's name in the reports, such as `lesson-05`. The course has no lesson 0: around a program of a person's own,
  /// a lesson has the program's name.
  public var id: String { number == 0 ? slug : "lesson-\(twoDigits)" }

  private var twoDigits: String { number < 10 ? "0\(number)" : "\(number)" }

  /// The names a person may call it by: `lesson-05`, `05`, `5`, `delegate-progress`, `lesson-05-delegate-progress`.
  public var names: [String] { [id, twoDigits, "\(number)", slug, folder] }

  /// True if this is one of its names, in any case.
  public func isCalled(_ name: String) -> Bool {
    names.contains(name.lowercased()) || number > 0 && NameSearch.number(in: name) == number
  }

  /// The lesson with the one example in it that shows its matter well, to be compared with; nil where it names none.
  public var withGoodExampleAlone: Lesson? {
    guard let good = subject?.examples.last else { return nil }
    var lesson = self
    lesson.examples.removeAll { $0.id != good }
    lesson.shows = LessonDetail.allCases
    (lesson.claims, lesson.checks, lesson.subject) = ([], [], nil)
    return lesson
  }
}
