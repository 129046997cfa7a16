// SPDX-License-Identifier: Apache-2.0

/// How many bytes came by time, to the program's callbacks or from the server: counts of stretches that are all as long.
///
/// The stretches double where the time outgrows them, so that a flow takes one piece of memory, which it has from the start.
public struct ByteFlow: Codable, Sendable, Hashable {
  /// The most stretches.
  public static let mostStretches = 128

  /// Seconds that each stretch lasts; the first begins with the example.
  public private(set) var width = 0.001
  /// The bytes of each stretch, as far as bytes came.
  public private(set) var bytes: [Int] = []

  /// No bytes yet.
  public init() {
    bytes.reserveCapacity(Self.mostStretches)
  }

  /// A stored flow.
  ///
  /// - Throws: `DecodingError` where its stretches could not have come about by `add`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    width = try values.decode(Double.self, forKey: .width)
    bytes = try values.decode([Int].self, forKey: .bytes)
    guard width >= 0.001, width.isFinite, bytes.count <= Self.mostStretches, bytes.allSatisfy({ $0 >= 0 }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .width, in: values, debugDescription: "a flow of \(bytes.count) stretches of \(width) s")
    }
  }

  /// All bytes.
  public var total: Int { bytes.reduce(0, +) }

  /// Takes in bytes that came at an instant, in seconds since the example's start.
  public mutating func add(_ count: Int, at instant: Double) {
    guard count > 0, instant >= 0, instant < 1e6 else { return }
    while instant >= width * Double(Self.mostStretches) { double() }
    let index = min(Int(instant / width), Self.mostStretches - 1)
    while bytes.count <= index { bytes.append(0) }
    bytes[index] += count
  }

  private mutating func double() {
    width *= 2
    for index in bytes.indices where index > 0 {
      bytes[index / 2] = (index % 2 == 0 ? 0 : bytes[index / 2]) + bytes[index]
    }
    bytes.removeLast(bytes.count / 2)
  }
}
