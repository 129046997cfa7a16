// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import Glibc
import LessonKit

/// The checks of a watch so far: how often, and which checks of an exercise held the last time.
struct WatchLog {
  /// How many checks there were.
  private(set) var count = 0
  /// By the exercise's id and the check's.
  private var held: [String: [String: Bool]] = [:]

  /// Counts a check that begins now, and answers the line above it.
  mutating func begin() -> Phrase {
    count += 1
    return "check \(count) · \(Self.clock())"
  }

  /// Takes a result in, and answers what is different from the exercise's last one. Empty for the first, and for a program
  /// that did not run: it has no checks to compare.
  mutating func take(_ result: ExerciseResult) -> Phrase {
    guard !result.checks.isEmpty else { return .empty }
    let before = held[result.id]
    held[result.id] = Dictionary(result.checks.map { ($0.id, $0.passed) }) { first, _ in first }
    guard let before else { return .empty }
    func names(_ passed: Bool) -> Phrase {
      result.checks.filter { $0.passed == passed && before[$0.id] == !passed }.map { Phrase(verbatim: $0.id) }.joined()
    }
    let (better, worse) = (names(true), names(false))
    switch (better.isEmpty, worse.isEmpty) {
    case (true, true): return "The same checks hold as the last time."
    case (false, true): return "Since the last check: now holds \(better)."
    case (true, false): return "Since the last check: holds no longer \(worse)."
    case (false, false): return "Since the last check: now holds \(better); holds no longer \(worse)."
    }
  }

  /// The time of day, such as `14:05:09`.
  private static func clock() -> String {
    var (now, parts) = (time(nil), tm())
    localtime_r(&now, &parts)
    return String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
  }
}
