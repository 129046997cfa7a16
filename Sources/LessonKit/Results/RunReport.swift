// SPDX-License-Identifier: Apache-2.0

/// What one `workbench run` found out: the result model, version 1, that every renderer reads and `--json` prints.
///
/// Sizes are bytes, times are seconds, instants are seconds since the example's start.
public struct RunReport: Codable, Sendable, Hashable {
  /// The version of this model.
  public var schema = 1
  /// The machine it ran on.
  public var machine: Machine
  /// When the run began, ISO 8601 in UTC.
  public var started: String
  /// S, the size of the body the examples loaded.
  public var bodyBytes: Int
  /// The lessons, in the order they ran.
  public var lessons: [LessonResult]

  /// A report as given.
  public init(machine: Machine, started: String, bodyBytes: Int, lessons: [LessonResult]) {
    self.machine = machine
    self.started = started
    self.bodyBytes = bodyBytes
    self.lessons = lessons
  }

  /// Whether each claim got the verdict that was expected.
  public var hasExpectedVerdicts: Bool {
    lessons.allSatisfy { $0.claims.allSatisfy { $0.verdict == $0.expected } }
  }
}

/// What one lesson's examples did and what became of its claims.
public struct LessonResult: Codable, Sendable, Hashable {
  /// The lesson's name in the reports, such as `lesson-05`.
  public var id: String
  /// The lesson's title in English.
  public var title: String
  /// One entry per example and repetition, in the order they ran.
  public var examples: [ExampleResult]
  /// The claims, in the order of the table of claims.
  public var claims: [ClaimResult]

  /// A result as given.
  public init(id: String, title: String, examples: [ExampleResult], claims: [ClaimResult]) {
    self.id = id
    self.title = title
    self.examples = examples
    self.claims = claims
  }
}

/// A claim with its verdict, and the figure beside the bound.
public struct ClaimResult: Codable, Sendable, Hashable {
  /// The claim's name, such as `N1-11`.
  public var id: String
  /// What the measurement says.
  public var verdict: Verdict
  /// What Apple's documentation leads us to expect.
  public var expected: Verdict
  /// What was measured.
  public var measured: String
  /// What it was measured against.
  public var bound: String
  /// Why the verdict is what it is, in one sentence; empty where the figures say it all.
  public var explanation: String

  /// A result as given.
  public init(
    id: String, verdict: Verdict, expected: Verdict, measured: String, bound: String, explanation: String = ""
  ) {
    self.id = id
    self.verdict = verdict
    self.expected = expected
    self.measured = measured
    self.bound = bound
    self.explanation = explanation
  }
}
