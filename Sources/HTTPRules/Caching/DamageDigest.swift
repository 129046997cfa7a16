// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// FNV-1a with 64 bits: it finds damage, and no secret can be read out of it.
package enum DamageDigest {
  /// The digest of nothing.
  package static let empty: UInt64 = 0xcbf2_9ce4_8422_2325

  /// `after`: the digest of the bytes before.
  package static func of(_ bytes: Data, after: UInt64 = empty) -> UInt64 {
    let bytes = bytes.span
    var hash = after
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return hash
  }
}
