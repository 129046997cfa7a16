// SPDX-License-Identifier: Apache-2.0

/// The digest of RFC 1320, in which NTLM keeps passwords. OpenSSL has it no more, unless asked for what is out of date.
enum MD4 {
  /// The 16 bytes of the digest.
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    let message = padded(bytes)
    for start in stride(from: 0, to: message.count, by: 64) {
      let words = (0..<16).map { word(message, start + $0 * 4) }
      let mixed = mix(state, words)
      for index in 0..<4 { state[index] &+= mixed[index] }
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }

  /// A one bit, zeros, and the length in bits (section 3.1).
  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    var message = bytes + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    let bits = UInt64(bytes.count) * 8
    return message + (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
  }

  private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32($1 * 8) }
  }

  /// The three rounds of section 3.4: each has its order of words, its function and its rotations.
  private static func mix(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for (round, order) in orders.enumerated() {
      for (step, index) in order.enumerated() {
        let value: UInt32 =
          switch round {
          case 0: (b & c) | (~b & d)
          case 1: ((b & c) | (b & d) | (c & d)) &+ 0x5a82_7999
          default: (b ^ c ^ d) &+ 0x6ed9_eba1
          }
        let sum = a &+ value &+ words[index]
        let turn = rotations[round][step % 4]
        (a, b, c, d) = (d, sum << turn | sum >> (32 - turn), b, c)
      }
    }
    return [a, b, c, d]
  }

  private static let orders = [
    Array(0..<16),
    [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
  ]
  private static let rotations: [[UInt32]] = [[3, 7, 11, 19], [3, 5, 9, 13], [3, 9, 11, 15]]
}
