// SPDX-License-Identifier: Apache-2.0

/// One run of one example: what the report prints, and what only claims ask about.
public struct ExampleRun: Sendable {
  /// The printed result.
  public var result: ExampleResult
  /// The record of its callbacks and loads, in order.
  public var recording: Recording
  /// The program's output, line by line.
  public var printed: [String]
  /// How it was meant to end.
  public var expectedEnd: Outcome.Kind
  /// The requests that the server saw of it, in their order.
  public var requests: [RequestSeen] { result.requests }
  /// The files it left in its folder, by path.
  public var files: [FileSeen] = []
  /// How many requests and connections beyond those that the server's log keeps there were.
  public var requestsNotKept = 0
  /// True if its program was started: where a limit cannot be entered it is not.
  public var wasStarted = true
  /// True if a SIGKILL that nobody here sent ended it, as the kernel does where the machine lacks memory.
  public var wasKilled = false
  /// True if its process delivered a measurement. One that crashed or ended itself did not.
  public var wasMeasured = true
  /// True if its process wrote lines of its own where measurements travel, or took some away.
  public var isForged = false
  /// Why what it wrote may not be whole: the disk had no room for it. Empty where it had.
  public var shortage = Phrase.empty
  /// The limit that ended its process, nil when none did.
  public var exceeded: ProgramLimits.Kind?
  /// How far other work kept the machine from it.
  public var disturbance = Disturbance()
  /// When its process was stopped and continued, nil when it was not.
  public var stop: Circumstances.Stretch? { result.happenings.stop }

  /// A run as given.
  public init(
    result: ExampleResult, recording: Recording = Recording(), printed: [String] = [],
    expectedEnd: Outcome.Kind = .finished
  ) {
    self.result = result
    self.recording = recording
    self.printed = printed
    self.expectedEnd = expectedEnd
  }
}

/// Everything a lesson's examples did, for its claims to be settled from.
public struct RunResults: Sendable {
  /// S, in bytes.
  public let bodyBytes: Int
  private let runs: [String: [ExampleRun]]

  /// Results as given, in the order they ran.
  public init(bodyBytes: Int, runs: [ExampleRun]) {
    self.bodyBytes = bodyBytes
    self.runs = Dictionary(grouping: runs) { $0.result.id }
  }

  /// True if the example was run.
  public func has(_ example: String) -> Bool { runs[example] != nil }

  /// The first run of the example, whatever its end; nil when it was not run.
  public func anyEnd(of example: String) -> ExampleRun? { runs[example]?.first }

  /// How far other work kept the machine from these examples, the worst of it; nil where it was quiet.
  func disturbance(of examples: [String]) -> Disturbance? {
    let all = examples.flatMap { runs[$0] ?? [] }.map(\.disturbance)
    guard all.contains(where: \.isBusy) else { return nil }
    return Disturbance(others: all.map(\.others).max() ?? 0, latest: all.map(\.latest).max() ?? 0)
  }

  /// Every run of the example.
  ///
  /// - Throws: `LessonKitError` with code `notMeasured` when there is none, or when the disk had no room for one of them or
  ///   it ended otherwise than it was meant to: what it measured then says nothing about a claim.
  public func all(_ example: String) throws(LessonKitError) -> [ExampleRun] {
    guard let found = runs[example], !found.isEmpty else { throw .notMeasured(example, "it was not run") }
    if let full = found.first(where: { !$0.shortage.isEmpty }) { throw .notMeasured(example, full.shortage) }
    if let lost = found.first(where: { $0.result.outcome.kind != $0.expectedEnd }) {
      throw .notMeasured(example, lost.result.outcome.sentence)
    }
    return found
  }

  /// The first run of the example.
  ///
  /// - Throws: as `all(_:)`.
  public func first(_ example: String) throws(LessonKitError) -> ExampleRun {
    guard let run = try all(example).first else { throw .notMeasured(example, "it was not run") }
    return run
  }
}
