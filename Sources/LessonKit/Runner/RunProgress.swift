// SPDX-License-Identifier: Apache-2.0

/// How far a run has come.
public struct RunProgress: Sendable, Hashable {
  /// The lesson's id.
  public var lesson: String
  /// The examples that run now, one but where several jobs were asked for, each with its repetition where there are several.
  public var examples: [String]
  /// Examples that have run, and all there are to run.
  public var done: Int
  /// All that are to run.
  public var total: Int
  /// Seconds that are left, judged by how long the examples so far took; nil before the first has ended.
  public var secondsLeft: Double?
}

/// Judges how long a run will take: what is known of each example beforehand, corrected by what has passed.
///
/// It has no clock: whoever drives it says how many seconds have passed.
struct RunEstimate {
  /// Seconds that an example takes at the least: its process, its warm-up, its small load.
  private static let least = 0.4

  private(set) var done = 0
  let total: Int
  private var passed = 0.0
  private var expectedSoFar = 0.0
  private var expectedInAll = 0.0
  private let jobs: Double

  init(_ examples: [Example], repetitions: Int, jobs: Int = 1) {
    total = examples.count * repetitions
    self.jobs = Double(jobs)
    expectedInAll = examples.reduce(0) { $0 + share($1) } * Double(repetitions)
  }

  /// An example has ended, `seconds` after the run's start.
  mutating func ended(_ example: Example, after seconds: Double) {
    done += 1
    passed = seconds
    expectedSoFar += share(example)
  }

  /// Computes an example's share of the run's length: one that may run beside others shares its time with them.
  private func share(_ example: Example) -> Double { Self.expected(example) / (example.measuresAlone ? 1 : jobs) }

  /// Seconds that are left, nil as long as nothing has ended.
  var secondsLeft: Double? {
    guard expectedSoFar > 0 else { return nil }
    return max(0, expectedInAll - expectedSoFar) * passed / expectedSoFar
  }

  /// Reports the progress while these run.
  func progress(_ lesson: Lesson, _ running: [RunQueue.Turn], of repetitions: Int) -> RunProgress {
    let names = running.map { example, repetition in
      repetitions > 1 ? "\(example.id) (\(repetition)/\(repetitions))" : example.id
    }
    return RunProgress(lesson: lesson.id, examples: names, done: done, total: total, secondsLeft: secondsLeft)
  }

  /// Estimates the time that an example takes from its declaration, in seconds.
  static func expected(_ example: Example) -> Double {
    let circumstances = example.circumstances
    var seconds = least + (circumstances.aftermath + circumstances.absence) / .seconds(1)
    if example.expectedEnd == .timedOut, let limit = circumstances.limit { return seconds + limit / .seconds(1) }
    if case .body(_, _, _, let duration, let delay, _) = example.resource {
      seconds += ((duration ?? .zero) + (delay ?? .zero)) / .seconds(1)
    }
    let around = [circumstances.touch, circumstances.busy, circumstances.stop].compactMap { $0?.ended }
    return max(seconds, least + (around.max() ?? 0))
  }
}
