// SPDX-License-Identifier: Apache-2.0

/// How a touch went: the stretch in which the main loop ran in the tracking mode.
public struct Touch: Codable, Sendable, Hashable {
  /// How long callbacks do not count, in seconds: what a queue was handed before the touch may still come then.
  static let settling = 0.1

  /// When the loop changed its mode and back, in seconds since the example's start.
  public var stretch: Circumstances.Stretch
  /// From when on callbacks count, in seconds since the example's start.
  public var countedFrom: Double
  /// Callbacks that came from then on until the touch ended.
  public var callbacks: Int

  /// The part of the touch in which callbacks count.
  public var counted: Circumstances.Stretch { .init(began: countedFrom, ended: stretch.ended) }

  /// A touch in which callbacks count from `countedFrom` on, or from its first moment.
  public init(stretch: Circumstances.Stretch, countedFrom: Double? = nil, callbacks: Int) {
    self.stretch = stretch
    self.countedFrom = countedFrom ?? stretch.began
    self.callbacks = callbacks
  }

  /// A stored touch. Reports without `countedFrom` have its moment where the touch begins.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    stretch = try values.decode(Circumstances.Stretch.self, forKey: .stretch)
    callbacks = try values.decode(Int.self, forKey: .callbacks)
    if let countedFrom = try values.decodeIfPresent(Double.self, forKey: .countedFrom) {
      self.countedFrom = countedFrom
    } else {
      countedFrom = stretch.began
      stretch.began = max(0, stretch.began - Self.settling)
    }
  }
}
