// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Sixty-four bits, mixed from eight bytes at a time: they find damage, and no secret can be read out of them. The digest of
/// bytes that differ in one word alone differs.
package enum DamageDigest {
  /// The digest of nothing.
  private static let empty: UInt64 = 0xcbf2_9ce4_8422_2325
  private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15

  package static func of(_ bytes: Data) -> UInt64 { unsafe bytes.withUnsafeBytes { unsafe of($0) } }

  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 { unsafe bytes.withUnsafeBytes { unsafe of($0) } }

  /// That of the text's UTF-8.
  package static func of(_ text: String) -> UInt64 {
    unsafe text.utf8.span.withUnsafeBytes { unsafe of($0) }
  }

  private static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = empty ^ UInt64(bytes.count)
    let words = bytes.count / 8
    for word in 0..<words {
      let value = unsafe bytes.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self)
      hash = mixed(hash ^ UInt64(littleEndian: value))
    }
    for index in 8 * words..<bytes.count { hash = mixed(hash ^ UInt64(unsafe bytes[index])) }
    return hash
  }

  /// Both steps can be undone, so that no change is lost: the first brings down what the second moves up.
  private static func mixed(_ hash: UInt64) -> UInt64 { (hash ^ hash >> 32) &* factor }
}
