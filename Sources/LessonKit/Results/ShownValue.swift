// SPDX-License-Identifier: Apache-2.0

/// A line that a program printed, where and when it did, and how much memory the program had then.
public struct PrintedLine: Codable, Sendable, Hashable {
  /// The line.
  public var text: String
  /// When, in seconds since the example's start.
  public var instant: Double
  /// The thread that printed it.
  public var thread: PlaceCount.ThreadID
  /// The mode this thread's run loop was running in, or nil when it was not running.
  public var runLoopMode: String?
  /// Resident bytes of the process just before the line was printed, read by the printing thread itself: the
  /// instruments' samples may be late on a busy machine.
  public var resident: Int
}

/// Something that an exercise's program showed its user.
public struct ShownValue: Codable, Sendable, Hashable {
  /// The kind of value.
  public enum Kind: String, Codable, Sendable, Hashable {
    /// The label's text.
    case label
    /// How much of the job is done, as a decimal number.
    case progress
    /// The result that the program came to.
    case result
  }

  /// The kind of value.
  public var kind: Kind
  /// The text, 4 KiB of it at most.
  public var text: String
  /// When, in seconds since the program's start.
  public var instant: Double
  /// The thread that showed it.
  public var thread: PlaceCount.ThreadID
  /// The mode this thread's run loop was running in, nil when it was not running.
  public var runLoopMode: String?
}
