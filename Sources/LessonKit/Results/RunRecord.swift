// SPDX-License-Identifier: Apache-2.0

/// The figures of recorded runs that the lessons' texts show: of each lesson the last one, in `Lessons/figures.json`.
public struct RunRecord: Codable, Sendable, Hashable {
  /// The figures that are kept of one lesson's run.
  public struct LessonFigures: Codable, Sendable, Hashable {
    /// The machine it ran on.
    public var machine: Machine
    /// When the run began, ISO 8601 in UTC.
    public var started: String
    /// S, the size of the body.
    public var bodyBytes: Int
    /// The examples, in the order they ran.
    public var examples: [ExampleFigures]
  }

  /// The figures that are kept of one example.
  public struct ExampleFigures: Codable, Sendable, Hashable {
    /// The example's name in its lesson.
    public var id: String
    /// How it ended.
    public var outcome: Outcome
    /// Its cost in time.
    public var time: TimeUse
    /// How far resident memory rose above its baseline, in bytes.
    public var growth: Int
    /// The most threads at once.
    public var threads: Int
    /// Requests that reached the server.
    public var requests: Int
    /// Callbacks of all kinds.
    public var callbacks: Int

    init(_ result: ExampleResult) {
      id = result.id
      outcome = result.outcome
      time = result.time.rounded
      growth = result.memory.growth
      threads = result.threads.peak
      requests = result.traffic.requests
      callbacks = result.callbacks.filter(\.implemented).reduce(0) { $0 + $1.count }
    }
  }

  /// The figures by the lesson's id, such as `lesson-05`.
  public var lessons: [String: LessonFigures] = [:]

  /// A record of nothing.
  public init() {}

  /// Takes the figures of every lesson of `report`, in place of older ones.
  public mutating func take(_ report: RunReport) {
    for lesson in report.lessons {
      lessons[lesson.id] = LessonFigures(
        machine: report.machine, started: report.started, bodyBytes: report.bodyBytes,
        examples: lesson.examples.map(ExampleFigures.init))
    }
  }
}
