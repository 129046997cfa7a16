// SPDX-License-Identifier: Apache-2.0

/// One Set-Cookie field taken apart (RFC 6265 section 5.2), before its right to be set is judged. Pure; takes any bytes.
///
/// The toolchain's own parser ends the process on four bytes that a server chose, and joins fields at commas, which
/// cookies may contain; so none of this reaches it.
package struct SetCookie: Hashable, Sendable {
  /// The cookie's name, never empty; bytes of name, value and path that are no UTF-8 as `FieldOctets` has them.
  package var name: String
  /// The cookie's value, quotes included.
  package var value: String
  /// Domain without its leading dot, lower-case; nil where none was given.
  package var domain: String?
  /// Path; nil where none was given or it does not begin with a slash, which asks for the default path.
  package var path: String?
  /// Max-Age in seconds, clamped to what an Int64 holds.
  package var maxAge: Int64?
  /// Expires, in seconds since 1970.
  package var expires: Int64?
  /// True if only secure channels may carry it.
  package var isSecure = false
  /// True if only HTTP may see it.
  package var isHTTPOnly = false
  /// `strict` or `lax`; nil for anything else.
  package var sameSite: String?

  /// Bytes of name and value together (RFC 6265bis section 5.6); a larger cookie is ignored.
  package static let sizeLimit = 4096
  /// Bytes of an attribute's value (RFC 6265bis section 5.6); a larger one is ignored.
  package static let attributeLimit = 1024

  /// Nil where the user agent ignores the field: it has no `=`, no name or a control character, or is too large.
  package init?(_ bytes: some Collection<UInt8>) {
    guard !bytes.contains(where: Self.isControl) else { return nil }
    let parts = bytes.split(separator: 0x3B, omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.firstIndex(of: 0x3D) else { return nil }
    let name = Self.trimmed(pair[..<equals])
    let value = Self.trimmed(pair[pair.index(after: equals)...])
    guard !name.isEmpty, name.count + value.count <= Self.sizeLimit else { return nil }
    self.name = FieldOctets.text(name)
    self.value = FieldOctets.text(value)
    for part in parts.dropFirst() { take(attribute: part) }
  }

  /// The same for a field's value whose bytes stand as scalars U+0000 to U+00FF, as a `HeaderField` has them.
  package init?(latin1 text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    self.init(bytes)
  }

  private mutating func take(attribute: some Collection<UInt8>) {
    let equals = attribute.firstIndex(of: 0x3D) ?? attribute.endIndex
    let name = Self.lowercased(Self.trimmed(attribute[..<equals]))
    let rest = equals == attribute.endIndex ? attribute[equals...] : attribute[attribute.index(after: equals)...]
    let value = Self.trimmed(rest)
    guard value.count <= Self.attributeLimit else { return }
    // The last of several attributes of a name counts.
    switch name {
    case "expires": if let date = CookieDate.seconds(value) { expires = date }
    case "max-age": if let age = Self.age(value) { maxAge = age }
    case "domain": if !value.isEmpty { domain = Self.domain(value) }
    case "path": path = value.first == 0x2F ? FieldOctets.text(value) : nil
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite":
      let policy = Self.lowercased(value)
      sameSite = ["strict", "lax"].contains(policy) ? policy : nil
    default: break
    }
  }

  /// Section 5.2.2: digits, perhaps after a minus sign; anything else is ignored.
  private static func age(_ text: [UInt8]) -> Int64? {
    let isNegative = text.first == 0x2D
    let digits = isNegative ? text[1...] : text[...]
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    if isNegative { return -1 }
    return digits.reduce(Int64(0)) { age, digit in
      let (tens, isTooLarge) = age.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tens.addingReportingOverflow(Int64(digit - 0x30))
      return isTooLarge || overflows ? .max : sum
    }
  }

  /// Section 5.2.3; a domain that is no text matches no host.
  private static func domain(_ value: [UInt8]) -> String? {
    let bare = value.first == 0x2E ? value.dropFirst() : value[...]
    return bare.isEmpty ? nil : lowercased(Array(bare))
  }

  /// RFC 6265bis section 5.6: a cookie with one of these is ignored.
  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

  private static func trimmed(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let start = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    var result = Array(start)
    while let last = result.last, last == 0x20 || last == 0x09 { result.removeLast() }
    return result
  }

  /// ASCII letters made small; other bytes stay, and invalid ones become U+FFFD, which nothing matches.
  private static func lowercased(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
