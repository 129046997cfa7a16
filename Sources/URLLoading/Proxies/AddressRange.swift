// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A part of the addresses of IPv6, in which those of IPv4 lie as RFC 4291 section 2.5.5.2 maps them: those that begin with
/// the first `length` bits of `bytes`. One address is the part of 128 bits.
struct AddressRange: Sendable, Hashable {
  private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [255, 255]

  private let bytes: [UInt8]
  private let length: Int

  /// `address/length`; of an IPv4 address the last numbers may be missing there. Without a length, one address in any form
  /// that the system's resolver takes for one. nil for all else.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      guard parts.count == 1, let bytes = Self.address(String(text)) else { return nil }
      (self.bytes, length) = (bytes, 128)
      return
    }
    guard let length = Int(parts[1]), length >= 0 else { return nil }
    let address = Self.unbracketed(String(parts[0]))
    if let bytes = Self.version6(address), length <= 128 {
      (self.bytes, self.length) = (bytes, length)
    } else if let bytes = Self.beginning(address), length <= 32 {
      (self.bytes, self.length) = (Self.mapped + bytes, 96 + length)
    } else {
      return nil
    }
  }

  /// True if the host, without brackets, is an address in this part.
  func contains(_ host: String) -> Bool {
    guard let other = Self.address(host) else { return false }
    return bytes.indices.allSatisfy { index in
      let bits = min(8, max(0, length - 8 * index))
      return (bytes[index] ^ other[index]) >> (8 - UInt8(bits)) == 0
    }
  }

  private static func unbracketed(_ text: String) -> String {
    text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
  }

  /// The bytes of one address. The resolver also takes `127.1`, `0x7f.0.0.1` and `2130706433` (inet_aton(3)).
  private static func address(_ text: String) -> [UInt8]? {
    let text = unbracketed(text)
    if let bytes = version6(text) { return bytes }
    var address = in_addr()
    guard text.first?.isHexDigit == true, unsafe inet_aton(text, &address) != 0 else { return nil }
    let value = UInt32(bigEndian: address.s_addr)
    return mapped + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// The bytes of an IPv6 address, without the zone that may stand behind it (RFC 6874).
  private static func version6(_ text: String) -> [UInt8]? {
    guard text.contains(":") else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    let plain = text.prefix { $0 != "%" }
    return unsafe inet_pton(AF_INET6, String(plain), &bytes) == 1 ? bytes : nil
  }

  /// One to four decimal numbers with dots between them; those that are missing are 0.
  private static func beginning(_ text: String) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard (1...4).contains(parts.count) else { return nil }
    let bytes = parts.compactMap { $0 }
    return bytes.count == parts.count ? bytes + Array(repeating: 0, count: 4 - bytes.count) : nil
  }
}
