// SPDX-License-Identifier: Apache-2.0

/// The findings of one `workbench run`: the result model, version 2, that every renderer reads and `--json` prints.
///
/// Sizes are bytes, times are seconds, instants are seconds since the example's start. Sentences are phrases: a string,
/// or an object whose `text` is the English sentence.
public struct RunReport: Codable, Sendable, Hashable {
  /// The version of this model that is written today.
  public static let schema = 2

  /// The version of this model.
  public var schema = RunReport.schema
  /// The machine it ran on.
  public var machine: Machine
  /// When the run began, ISO 8601 in UTC.
  public var started: String
  /// S, the size of the body the examples loaded.
  public var bodyBytes: Int
  /// The workbench's version, such as `0.1.0`; nil in reports of builds that did not write it.
  public var version: String?
  /// True if the run did not come to its end: lessons are missing or incomplete.
  public var partial = false
  /// The lessons, in the order they ran.
  public var lessons: [LessonResult]

  /// A report as given.
  public init(machine: Machine, started: String, bodyBytes: Int, lessons: [LessonResult]) {
    self.machine = machine
    self.started = started
    self.bodyBytes = bodyBytes
    self.lessons = lessons
  }

  /// True if each claim and check got the verdict that was expected. One that S is too small for is no surprise.
  public var hasExpectedVerdicts: Bool {
    lessons.allSatisfy { ($0.claims + $0.checks).allSatisfy(\.isAsExpected) }
  }
}

/// The result of one lesson: what its examples did and what became of its claims.
public struct LessonResult: Codable, Sendable, Hashable {
  /// The lesson's name in the reports, such as `lesson-05`.
  public var id: String
  /// The lesson's title in English; a catalogue has its translation.
  public var title: String
  /// True if some of the chosen examples did not run, because the run was interrupted.
  public var incomplete = false
  /// The details that the report shows of every example.
  public var shows: [LessonDetail] = []
  /// The figure that the lesson is about; nil in reports of builds that did not write it.
  public var subject: Subject?
  /// One entry per example and repetition, in the order they ran.
  public var examples: [ExampleResult]
  /// Examples that do the same job in the two columns.
  public var pairs: [ExamplePair] = []
  /// The claims, in the order of the table of claims.
  public var claims: [ClaimResult]
  /// The pitfall checks: what the lesson shows beyond the claims of the notes.
  public var checks: [ClaimResult] = []

  /// A result as given.
  public init(id: String, title: String, examples: [ExampleResult], claims: [ClaimResult]) {
    self.id = id
    self.title = title
    self.examples = examples
    self.claims = claims
  }
}

/// Two examples that do the same job, one in each column.
public struct ExamplePair: Codable, Sendable, Hashable {
  /// The id of the Connection example.
  public var connection: String
  /// The id of the Session example.
  public var session: String
  /// The work that one of the two does beyond the common job; empty where both do the same.
  public var difference: Phrase

  /// A pair as given.
  public init(connection: String, session: String, difference: Phrase = .empty) {
    self.connection = connection
    self.session = session
    self.difference = difference
  }
}

/// A claim with its verdict, and each figure beside its bound.
public struct ClaimResult: Codable, Sendable, Hashable {
  /// The claim's name, such as `N1-11`, or a pitfall check's, such as `P19-01`.
  public var id: String
  /// The verdict of the measurement.
  public var verdict: Verdict
  /// The verdict that Apple's documentation leads us to expect.
  public var expected: Verdict
  /// The kind of evidence that the verdict stands on; nil for a report of version 1.
  public var evidence: Evidence?
  /// The claim that this one repeats, or nil.
  public var sameAs: String?
  /// True if S was too small to settle it; the verdict is `unsettled` then.
  public var tooSmall = false
  /// The findings of the measurement, point by point.
  public var findings: [Finding]
  /// Why the verdict is what it is, in one sentence; empty where the figures say it all.
  public var explanation: Phrase
  /// The verdict on it from the toolchain's URLSession; nil where its column did not run or cannot say.
  public var toolchain: ToolchainVerdict?

  /// A result as given.
  public init(
    id: String, verdict: Verdict, expected: Verdict, evidence: Evidence? = nil, findings: [Finding],
    explanation: Phrase = .empty
  ) {
    self.id = id
    self.verdict = verdict
    self.expected = expected
    self.evidence = evidence
    self.findings = findings
    self.explanation = explanation
  }

  /// True if it came out as expected, or could not be settled with this S.
  public var isAsExpected: Bool { tooSmall || verdict == expected }
}

/// The verdict of the same points on the runs with the toolchain's URLSession in place of the Session examples.
public struct ToolchainVerdict: Codable, Sendable, Hashable {
  /// The verdict that they lead to.
  public var verdict: Verdict
  /// The points that came out otherwise; none where the verdict is the claim's own.
  public var differing: [Finding]

  /// A verdict as given.
  public init(_ verdict: Verdict, differing: [Finding] = []) {
    (self.verdict, self.differing) = (verdict, differing)
  }
}

/// One point of a claim: what was looked at, the figure, and the bound beside it.
public struct Finding: Codable, Sendable, Hashable {
  /// The subject of the point, such as the example's name; empty where the claim's sentence says it.
  public var what: Phrase
  /// The figure that was measured.
  public var measured: Phrase
  /// The bound that it was measured against.
  public var bound: Phrase
  /// True if the figure keeps to the bound.
  public var holds: Bool

  /// A finding as given.
  public init(what: Phrase = .empty, measured: Phrase, bound: Phrase, holds: Bool) {
    self.what = what
    self.measured = measured
    self.bound = bound
    self.holds = holds
  }
}
