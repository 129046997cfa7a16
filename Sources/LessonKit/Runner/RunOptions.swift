// SPDX-License-Identifier: Apache-2.0

/// The options that a person may choose for a run.
public struct RunOptions: Sendable, Hashable {
  /// S, the body's size in bytes.
  public var bodyBytes: Int
  /// How often each example runs, at least 1.
  public var repetitions: Int
  /// How long one example may take.
  public var timeout: Duration
  /// How long an example of the toolchain's column may take at the least where its twin has ended, in place of `timeout`
  /// (see `limit(of:after:)`); nil where it may take as long as any other.
  public var patience: Duration?
  /// How many examples run at the same time, at least 1, where none of them measures alone.
  public var jobs = 1
  /// The one column to run, or nil for all.
  public var side: Side?
  /// The examples to run, by id or by the part after the slash; empty for all.
  public var examples: [String]

  /// The workbench's version, for the report.
  public var version: String?
  /// The resource that all examples load in place of their own, so that a test may let the server misbehave.
  public var resource: Example.Resource?
  /// The limits of the programs; nil for the lessons' own, which need none.
  public var limits: ProgramLimits?
  /// The most bytes that a file of an example may have, so that a test may fill the disk; nil for no limit.
  public var fileLimit: Int?

  /// Options as given; left out, they are 64 MiB, once, 30 seconds, everything.
  public init(
    bodyBytes: Int = 64 << 20, repetitions: Int = 1, timeout: Duration = .seconds(30), side: Side? = nil,
    examples: [String] = []
  ) {
    self.bodyBytes = bodyBytes
    self.repetitions = repetitions
    self.timeout = timeout
    self.side = side
    self.examples = examples
  }

  /// How much longer than its twin an example of the toolchain's column may take before it counts as hanging.
  private static let leeway = 10.0

  /// How long an example may take after these results of its lesson.
  ///
  /// An example that hangs in the toolchain's column hangs for good, and there are many: where `patience` is set and the twin
  /// has come to its end, 10 times the twin's time or `patience`, whichever is longer, is enough to see it.
  func limit(of example: Example, after results: [ExampleResult]) -> Duration {
    let limit = min(timeout, example.circumstances.limit ?? timeout)
    guard let patience, let twin = example.substitute?.twin else { return limit }
    let twins = results.filter { $0.id == twin }
    let ends: [Outcome.Kind] = [.finished, .failed, .cancelled]
    guard !twins.isEmpty, twins.allSatisfy({ ends.contains($0.outcome.kind) }) else { return limit }
    let slowest = twins.map(\.time.wall).max() ?? 0
    return min(limit, max(patience, .seconds(Self.leeway * slowest)))
  }

  /// The chosen examples in the order they run, each with the number of its repetition, from 1: the two of a pair one
  /// after the other, so that a reader sees them beside each other as they end.
  func schedule(of lesson: Lesson) -> [(example: Example, repetition: Int)] {
    let chosen = chosen(from: lesson)
    let partners = Dictionary(lesson.pairs.map { ($0.connection, $0.session) }) { first, _ in first }
    let followers = Set(chosen.compactMap { partners[$0.id] })
    let columns = chosen.filter { $0.substitute == nil }
    let leaders = columns.filter { !followers.contains($0.id) || $0.side == .connection }
    let paired: [Example] = leaders.flatMap { leader in [leader] + columns.filter { $0.id == partners[leader.id] } }
    let order: [Example] = paired.flatMap { twin in [twin] + chosen.filter { $0.substitute?.twin == twin.id } }
    return order.flatMap { example in (1...max(1, repetitions)).map { (example, $0) } }
  }

  /// How many examples of these lessons can run at the same time: no more than one lesson has that need not run alone.
  func jobs(of lessons: [Lesson]) -> Int {
    let most = lessons.map { lesson in schedule(of: lesson).count { !$0.example.measuresAlone } }.max() ?? 0
    return max(1, min(jobs, most))
  }

  /// The lesson's examples that these options choose; one of the toolchain's column comes along with its twin.
  public func chosen(from lesson: Lesson) -> [Example] {
    let chosen = lesson.examples.filter { example in
      example.substitute == nil && (side == nil || example.side == side)
        && (examples.isEmpty
          || examples.contains { $0 == example.id || example.id.hasSuffix("/" + $0) })
    }
    let ids = Set(chosen.map(\.id))
    return chosen + lesson.examples.filter { $0.substitute.map { ids.contains($0.twin) } ?? false }
  }
}

/// The results of a run: the report, and which examples did not end as their lesson means them to.
public struct LessonRun: Sendable {
  /// The report.
  public var report: RunReport
  /// One sentence for each example that ended otherwise than it should.
  public var surprises: [Phrase]
  /// The results that claims are settled from, by the lesson's id.
  public var results: [String: RunResults] = [:]

  /// True if every example and every claim came out as expected.
  public var isAsExpected: Bool { surprises.isEmpty && report.hasExpectedVerdicts }
}
