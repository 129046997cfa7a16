// SPDX-License-Identifier: Apache-2.0

/// A time that was measured, in words. It is a type of its own so that a phrase knows that it shows one: a point of a claim
/// whose figure is a time settles nothing where the machine was busy, and no claim has to say so.
public struct TimeShown: Sendable, Hashable {
  /// The time in words, such as `12 ms`.
  public let text: String

  /// No time: what would have had one did not happen.
  public static let never = TimeShown("-")

  /// A time in these words.
  public init(_ text: String) { self.text = text }
}
