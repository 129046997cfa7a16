// SPDX-License-Identifier: Apache-2.0

/// How many bytes had been sent over all connections, at instants that lie a step apart at the least. Where there are too many,
/// the step doubles and every other mark goes: a sum between two marks is never wrong, only known later.
public struct SentMarks: Sendable, Codable, Hashable {
  /// A sum and when it was reached, in seconds of CLOCK_MONOTONIC.
  public struct Mark: Sendable, Codable, Hashable {
    /// When the sum was reached.
    public var instant: Double
    /// The sum.
    public var bytes: Int64
  }

  /// The most marks.
  static let most = 512
  private static let firstStep = 0.001

  /// The marks in their order; the last one has the whole sum.
  public private(set) var marks: [Mark] = []
  private var step = firstStep

  /// Takes in bytes that were sent.
  mutating func add(_ count: Int, at instant: Double) {
    let sum = (marks.last?.bytes ?? 0) + Int64(count)
    // The last mark moves on as long as it lies less than a step behind the one before it; a pause keeps it where it is.
    if marks.count > 1, instant - marks[marks.count - 2].instant < step { marks.removeLast() }
    if marks.count == Self.most {
      step *= 2
      marks = marks.indices.filter { $0 % 2 == 0 }.map { marks[$0] }
    }
    marks.append(Mark(instant: instant, bytes: sum))
  }
}
