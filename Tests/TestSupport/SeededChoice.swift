// SPDX-License-Identifier: Apache-2.0

/// Choices that are the same for the same seed, on every machine (SplitMix64).
package struct SeededChoice: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// One of these; there must be some.
  package mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }

  /// Below `limit`, which is above 0.
  package mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) }
  }

  /// The same bytes, up to three of them changed, missing or doubled.
  package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...number(below: 3) where !bytes.isEmpty {
      let place = number(below: bytes.count)
      switch number(below: 4) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(bytes[place], at: place)
      case 2: bytes[place] = one(of: [0, 9, 10, 13, 32, 44, 58, 48, 57, 255])
      default: bytes[place] ^= 1 << UInt8(number(below: 8))
      }
    }
    return bytes
  }
}
