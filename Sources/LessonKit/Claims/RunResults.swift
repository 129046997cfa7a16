// SPDX-License-Identifier: Apache-2.0

/// One run of one example: what the report prints, and what only claims ask about.
public struct ExampleRun: Sendable {
  /// The printed result.
  public var result: ExampleResult
  /// What its callbacks and loads told, in order.
  public var recording: Recording
  /// What the program printed, line by line.
  public var printed: [String]
  /// What the server saw of it, in the order of the requests.
  public var requests: [RequestSeen]

  /// A run as given.
  public init(
    result: ExampleResult, recording: Recording = Recording(), printed: [String] = [],
    requests: [RequestSeen] = []
  ) {
    self.result = result
    self.recording = recording
    self.printed = printed
    self.requests = requests
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

  /// Whether the example was run.
  public func has(_ example: String) -> Bool { runs[example] != nil }

  /// Every run of the example.
  ///
  /// - Throws: `LessonKitError` with code `notMeasured` when there is none, or when one of them did not deliver a
  ///   measurement because it crashed or was ended.
  public func all(_ example: String) throws(LessonKitError) -> [ExampleRun] {
    guard let found = runs[example], !found.isEmpty else { throw .notMeasured(example, "it was not run") }
    if let lost = found.first(where: { $0.result.outcome.kind == .crashed }) {
      throw .notMeasured(example, lost.result.outcome.why)
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
