// SPDX-License-Identifier: Apache-2.0

/// A pitfall as a report shows it: how often it was found, and its first place.
public struct PitfallSeen: Codable, Sendable, Hashable {
  /// Which pitfall.
  public var pitfall: Pitfall
  /// The worst grade that it had.
  public var grade: Pitfall.Grade
  /// How often it was found.
  public var count: Int
  /// The number of the first place's load; 0 where it belongs to none.
  public var load: UInt64
  /// Seconds since the program's start.
  public var instant: Double
  /// The number of the thread.
  public var thread: Int
  /// The most that was measured, there or elsewhere.
  public var figure: PitfallFinding.Figure

  init(_ first: PitfallFinding) {
    (pitfall, grade, count) = (first.pitfall, first.grade, 1)
    (load, instant, thread, figure) = (first.subject, first.instant, first.thread, first.figure)
  }
}

/// Findings, summed up by their pitfall.
public struct PitfallSum: Sendable {
  /// The pitfalls that were found, the worst first, then in the order of the catalogue.
  public var seen: [PitfallSeen] {
    Pitfall.allCases.compactMap { known[$0] }.enumerated()
      .sorted { ($0.element.grade, $0.offset) < ($1.element.grade, $1.offset) }.map(\.element)
  }

  private var known: [Pitfall: PitfallSeen] = [:]

  /// No finding yet.
  public init() {}

  /// Adds what was found.
  public mutating func add(_ findings: [PitfallFinding]) {
    for finding in findings {
      guard var seen = known[finding.pitfall] else {
        known[finding.pitfall] = PitfallSeen(finding)
        continue
      }
      if !finding.isUpdate { seen.count += 1 }
      if finding.figure.isMore(than: seen.figure) { seen.figure = finding.figure }
      if finding.grade < seen.grade { seen.grade = finding.grade }
      known[finding.pitfall] = seen
    }
  }
}

extension Pitfall.Grade: Comparable {
  /// The worse one comes first.
  public static func < (one: Pitfall.Grade, other: Pitfall.Grade) -> Bool { one.rank < other.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
