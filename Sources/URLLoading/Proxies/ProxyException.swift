// SPDX-License-Identifier: Apache-2.0

/// Hosts that are reached without a proxy: a name, a name with stars, or a part of the IPv4 addresses.
struct ProxyException: Sendable, Hashable {
  /// What a name without a star stands for.
  enum Meaning: Sendable {
    /// For itself.
    case whole
    /// For itself and what lies in that domain; a dot before it changes nothing.
    case domain
  }

  private var pattern: [UInt8]
  private let meaning: Meaning
  private var range: Addresses?

  /// The addresses that are `value` where `mask` has a bit.
  private struct Addresses: Hashable {
    var value: UInt32
    var mask: UInt32
  }

  init(_ text: String, _ meaning: Meaning) {
    let text = text.lowercased()
    pattern = Array(text.utf8)
    self.meaning = meaning
    if meaning == .domain, pattern.first == UInt8(ascii: ".") { pattern.removeFirst() }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let length = UInt32(parts[1]), length <= 32, let value = Self.address(parts[0], isWhole: false)
    {
      range = Addresses(value: value, mask: length == 0 ? 0 : ~0 << (32 - length))
    }
  }

  /// Whether a host, in lower case and without brackets, is meant.
  func matches(_ host: String) -> Bool {
    if let range {
      return Self.address(Substring(host), isWhole: true).map { ($0 ^ range.value) & range.mask == 0 } ?? false
    }
    let host = Array(host.utf8)
    if Self.matches(host[...], pattern[...]) { return true }
    return meaning == .domain && host.count > pattern.count && host.suffix(pattern.count) == pattern[...]
      && host[host.count - pattern.count - 1] == UInt8(ascii: ".")
  }

  /// A star stands for any bytes. Linear in practice: it goes back to the last star alone.
  private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var (place, want) = (text.startIndex, pattern.startIndex)
    var star: (want: Int, place: Int)?
    while place < text.endIndex {
      if want < pattern.endIndex, pattern[want] == UInt8(ascii: "*") {
        star = (want + 1, place)
        want += 1
      } else if want < pattern.endIndex, pattern[want] == text[place] {
        (place, want) = (place + 1, want + 1)
      } else if let last = star {
        star = (last.want, last.place + 1)
        (place, want) = (last.place + 1, last.want)
      } else {
        return false
      }
    }
    return pattern[want...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Four numbers with dots between them; of a range's the last ones may be missing.
  private static func address(_ text: Substring, isWhole: Bool) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard isWhole ? parts.count == 4 : (1...4).contains(parts.count) else { return nil }
    var value: UInt32 = 0
    for index in 0..<4 {
      guard index < parts.count else {
        value <<= 8
        continue
      }
      guard let part = UInt8(parts[index]) else { return nil }
      value = value << 8 | UInt32(part)
    }
    return value
  }
}
