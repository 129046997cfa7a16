// SPDX-License-Identifier: Apache-2.0

/// Resident memory in bytes.
public struct MemoryUse: Codable, Sendable, Hashable {
  /// Just before the example started, after everything lazy had been warmed up.
  public var baseline: Int
  /// The kernel's high-water mark, reset just before the start.
  public var peak: Int
  /// How far the peak lies above the baseline.
  public var growth: Int
  /// Samples of the resident memory over time, thinned out so that the highest of each stretch remains.
  public var curve: [CurvePoint]

  /// Figures as given.
  public init(baseline: Int = 0, peak: Int = 0, growth: Int = 0, curve: [CurvePoint] = []) {
    self.baseline = baseline
    self.peak = peak
    self.growth = growth
    self.curve = curve
  }
}

/// One sample; in JSON the pair `[seconds, bytes]`.
public struct CurvePoint: Codable, Sendable, Hashable {
  /// Seconds since the example's start.
  public var instant: Double
  /// Resident bytes.
  public var bytes: Int

  /// A point as given.
  public init(instant: Double, bytes: Int) {
    self.instant = instant
    self.bytes = bytes
  }

  /// Reads the pair.
  public init(from decoder: any Decoder) throws {
    var pair = try decoder.unkeyedContainer()
    instant = try pair.decode(Double.self)
    bytes = try pair.decode(Int.self)
  }

  /// Writes the pair.
  public func encode(to encoder: any Encoder) throws {
    var pair = encoder.unkeyedContainer()
    try pair.encode(instant)
    try pair.encode(bytes)
  }
}
