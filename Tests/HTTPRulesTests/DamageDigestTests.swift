// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Testing

/// The digest that finds damage.
@Suite struct DamageDigestTests {
  @Test func `each flipped bit and each missing byte makes another digest, wherever the bytes begin`() {
    let bytes = (0..<41).map { UInt8(truncatingIfNeeded: $0 * 37) }
    let digest = DamageDigest.of(bytes[...])
    var seen: Set<UInt64> = [digest]
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << bit
        seen.insert(DamageDigest.of(damaged[...]))
      }
    }
    for count in 0..<bytes.count { seen.insert(DamageDigest.of(bytes[..<count])) }
    #expect(seen.count == 1 + 41 * 8 + 41)
    #expect(DamageDigest.of(Data(bytes)) == digest)
    #expect(DamageDigest.of(([7] + bytes).dropFirst()) == digest)
  }
}
