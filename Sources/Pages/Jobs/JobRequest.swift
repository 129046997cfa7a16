// SPDX-License-Identifier: Apache-2.0
public import Exercises
public import LessonKit
public import Reports

/// A page's request to a child process, as JSON on its command line.
public enum JobRequest: Codable, Sendable, Hashable {
  /// Runs lessons, or some examples of one.
  case run(RunOrder)
  /// Checks a student's program.
  case check(CheckOrder)
}

/// A run that a page asked for.
public struct RunOrder: Codable, Sendable, Hashable {
  /// The lessons' ids, one or several.
  public var lessons: [String]
  /// The examples of the one lesson, by id; empty for all.
  public var examples: [String] = []
  /// S, in bytes.
  public var bodyBytes: Int
  /// The answer to the one lesson's question, from 1; nil where none was given.
  public var answer: Int?
  /// The folder that takes the report.
  public var folder: String
}

/// A check that a page asked for.
public struct CheckOrder: Codable, Sendable, Hashable {
  /// The exercise's id.
  public var exercise: String
  /// The folder of the course.
  public var course: String
  /// The student's folder.
  public var student: String
  /// True if the lesson's good example is to run as well where a drawing needs it; not once the server knows its run.
  public var wantsGoodExample = true
}

/// A child's message on its way, a line of JSON on its standard output.
public enum JobEvent: Codable, Sendable, Hashable {
  /// The progress of the work that runs now: `done` of `total` are over, and so many seconds may be left.
  case progress(words: Phrase, done: Int, total: Int)
  /// An example has ended.
  case row(ExampleRow)
  /// The report lies in the folder of runs under this id; the sentence is on the student's answer, if there was one.
  case stored(id: String, judgement: Phrase?)
  /// The report of the check.
  case checked(CheckReport)
  /// The run of the good example of an exercise's lesson, to be drawn beside a check's.
  case compared(exercise: String, MeasuredRun)
  /// Why it did not come to its end.
  case failed(Phrase)
}

/// The report of a check, with its sentences in every language.
public struct CheckReport: Codable, Sendable, Hashable {
  /// One check.
  public struct Check: Codable, Sendable, Hashable {
    /// Its name in the exercise.
    public var id: String
    /// The subject that was looked at.
    public var title: Phrase
    /// True if it holds.
    public var passed: Bool
    /// The value that was wanted.
    public var wanted: Phrase
    /// The value that was measured.
    public var measured: Phrase
    /// The mark of it in a drawing; nil for no drawing.
    public var mark: FigureMark?
  }

  /// The exercise's id.
  public var exercise: String
  /// How it came out, in a word or two.
  public var outcome: Phrase
  /// True if all is well.
  public var passed: Bool
  /// Why it came out so; empty where the checks say it.
  public var why: Phrase
  /// Points reached, and points there are.
  public var score: Int
  /// All points.
  public var points: Int
  /// The output of the compiler.
  public var compiler: String
  /// The advice that a student may look at: a sentence for each error of a common cause and for each method that is almost a
  /// delegate's.
  public var advice: [Phrase]
  /// The checks, in the exercise's order.
  public var checks: [Check]
  /// The runs that decide.
  public var runs: [MeasuredRun] = []
}

extension StringCatalogue {
  /// The name of a check in its task, and what it looks at where the name does not say that.
  func name(ofCheck id: String, _ title: Phrase) -> String {
    let title = self(title)
    return title == id ? title : "\(id): \(title)"
  }
}
