// SPDX-License-Identifier: Apache-2.0

/// What a person may choose about a run.
public struct RunOptions: Sendable, Hashable {
  /// S, the body's size in bytes.
  public var bodyBytes: Int
  /// How often each example runs, at least 1.
  public var repetitions: Int
  /// How long one example may take.
  public var timeout: Duration
  /// The one column to run, or nil for all.
  public var side: Side?
  /// The examples to run, by id or by the part after the slash; empty for all.
  public var examples: [String]

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

  /// The chosen examples in the order they run, each with the number of its repetition, from 1.
  func schedule(of lesson: Lesson) -> [(example: Example, repetition: Int)] {
    chosen(from: lesson).flatMap { example in (1...max(1, repetitions)).map { (example, $0) } }
  }

  /// The lesson's examples that these options choose.
  public func chosen(from lesson: Lesson) -> [Example] {
    lesson.examples.filter { example in
      (side == nil || example.side == side)
        && (examples.isEmpty
          || examples.contains { $0 == example.id || example.id.hasSuffix("/" + $0) })
    }
  }
}

/// What came of a run: the report, and which examples did not end as their lesson means them to.
public struct LessonRun: Sendable {
  /// The report.
  public var report: RunReport
  /// One sentence for each example that ended otherwise than it should.
  public var surprises: [String]
  /// What claims are settled from, by the lesson's id.
  public var results: [String: RunResults] = [:]

  /// Whether every example and every claim came out as expected.
  public var isAsExpected: Bool { surprises.isEmpty && report.hasExpectedVerdicts }
}
