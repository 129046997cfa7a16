// SPDX-License-Identifier: Apache-2.0

/// Hosts that are reached without a proxy: a name, a name with stars, an address in any spelling, or a part of the
/// addresses.
struct ProxyException: Sendable, Hashable {
  /// The meaning of a name without a star.
  enum Meaning: Sendable {
    /// For itself.
    case whole
    /// For itself and what lies in that domain; a dot before it changes nothing.
    case domain
  }

  private var pattern: [UInt8]
  private let meaning: Meaning
  /// The addresses that it names, where it names some.
  private let range: AddressRange?

  init(_ text: String, _ meaning: Meaning) {
    let text = text.lowercased()
    range = AddressRange(text)
    self.meaning = meaning
    pattern = Array(text.utf8)
    if meaning == .domain, pattern.first == UInt8(ascii: ".") { pattern.removeFirst() }
    // The root's dot (RFC 1034 section 3.1): both spellings are one name.
    if pattern.count > 1, pattern.last == UInt8(ascii: ".") { pattern.removeLast() }
  }

  /// True if a host, in lower case and without brackets, is meant.
  func matches(_ host: String) -> Bool {
    if let range { return range.contains(host) }
    var host = Array(host.utf8)
    if host.last == UInt8(ascii: ".") { host.removeLast() }
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
}
