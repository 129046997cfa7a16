// SPDX-License-Identifier: Apache-2.0
public import LessonKit
public import Pitfalls

/// How a student's exercise came out.
public enum ExerciseOutcome: String, Codable, Sendable, Hashable, CaseIterable {
  /// Every check holds.
  case passed
  /// The program came to its end, and some check does not hold.
  case failed
  /// The compiler refuses the file, or it is no text.
  case notCompiled
  /// There is no file.
  case missing
  /// The program did not come to its end in time.
  case hung
  /// A signal ended the program.
  case crashed
  /// The program ended its process before it came to its end.
  case exited
  /// The program took more memory, or wrote more, than it may.
  case overLimit
  /// Checked more than once, it came out in more than one way, or the hand-in leaves open which file is the program: a teacher
  /// decides.
  case undecided
  /// This machine lacked something, so nothing is known of the program: it has no grade yet.
  case notGraded

  /// True if a grade may rest on it: whatever decides on grades asks this.
  public var isDecided: Bool {
    switch self {
    case .passed, .failed, .notCompiled, .missing, .hung, .crashed, .exited, .overLimit: true
    case .undecided, .notGraded: false
    }
  }
}

/// The result of one check.
public struct CheckResult: Sendable, Hashable {
  /// The check's name.
  public var id: String
  /// The subject of the check.
  public var title: Phrase
  /// True if it holds in every run.
  public var passed: Bool
  /// The requirement of the check.
  public var wanted: Phrase
  /// The result of the measurement, in the first run in which the check does not hold, else in the last.
  public var measured: Phrase
  /// True if it was seen from outside of the program.
  public var outside: Bool
  /// The points that it is worth.
  public var points: Int
  /// The check that it counts together with and that does not hold; nil where it fails or holds by itself.
  var waitsFor: String?
  /// Its mark in a drawing of the run that decides; nil where it holds, and where no drawing shows what it looks at.
  public var mark: FigureMark?

  /// The same where another check, which does not hold, has to hold as well.
  func waiting(for other: String) -> CheckResult {
    var result = self
    (result.passed, result.waitsFor) = (false, other)
    result.measured = "\(measured); counts only together with “\(other)”"
    return result
  }

  /// The same where it does not count, and why.
  func missed(_ why: Phrase) -> CheckResult {
    var result = self
    (result.passed, result.measured) = (false, "\(measured); \(why)")
    return result
  }

  /// Both beside each other, as reports print them.
  var comparison: Phrase { "wanted \(wanted); measured \(measured)" }
}

/// The result of one exercise.
public struct ExerciseResult: Sendable, Hashable {
  /// The exercise's id.
  public var id: String
  /// The exercise's title.
  public var title: LocalizedText
  /// The points that it is worth.
  public var points: Int
  /// How it came out.
  public var outcome: ExerciseOutcome
  /// Why, in one sentence; empty where the checks say it.
  public var why: Phrase = .empty
  /// How long checking took.
  public var seconds = 0.0
  /// The checks, in the manifest's order; empty where the program did not run.
  public var checks: [CheckResult] = []
  /// The compiler's output; empty where it had nothing to say.
  public var compiler = ""
  /// Sentences on what the compiler refuses, on methods of delegates that are never called, and on the pitfalls of a program
  /// that has not passed; empty where there are none.
  public var advice: [Phrase] = []
  /// The pitfalls that its runs showed, the worst first.
  public var pitfalls: [PitfallSeen] = []
  /// The runs that decide, for drawings; none where the program did not run or the checker keeps none.
  public var runs: [MeasuredRun] = []

  /// The points of the checks that hold; 0 for a program that did not come to its end.
  public var score: Int {
    guard outcome == .passed || outcome == .failed else { return 0 }
    return checks.filter(\.passed).reduce(0) { $0 + $1.points }
  }

  /// A result without checks.
  public init(_ exercise: Exercise, _ outcome: ExerciseOutcome, why: Phrase = .empty) {
    id = exercise.id
    title = exercise.manifest.title
    points = exercise.manifest.points
    self.outcome = outcome
    self.why = why
  }

  /// The result of an exercise whose checks, made one after the other, disagree about outcome or points; nil where they agree.
  init?(undecidedBy results: [ExerciseResult]) {
    guard let last = results.last,
      let other = results.first(where: { $0.outcome != last.outcome || $0.score != last.score })
    else { return nil }
    self = last
    outcome = .undecided
    why =
      "check \(results.count) gave \(last.score) points (\(last.outcome.words)), an earlier one \(other.score) "
      + "(\(other.outcome.words)); a teacher decides"
  }
}

extension ExerciseOutcome {
  /// The outcome as a person reads it.
  public var words: Phrase {
    switch self {
    case .passed: "passed"
    case .failed: "not passed yet"
    case .notCompiled: "does not compile"
    case .missing: "missing"
    case .hung: "does not come to its end"
    case .crashed: "crashes"
    case .exited: "ends its own process"
    case .overLimit: "goes over a limit"
    case .undecided: "undecided"
    case .notGraded: "not graded"
    }
  }
}
