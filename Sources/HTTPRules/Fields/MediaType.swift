// SPDX-License-Identifier: Apache-2.0

/// The content of a Content-Type field (RFC 9110 section 8.3.1). Pure.
///
/// The toolchain keeps white space before the semicolon, knows `charset` in small letters alone, and takes two fields for one type.
package struct MediaType: Equatable, Sendable {
  /// Type and subtype with the slash between them, in small letters.
  package var name: String
  /// The value of the parameter `charset`, without quotes and in small letters; nil where there is none.
  package var charset: String?

  /// Reads a field, or several of one name that were joined by commas: then the last that is a media type counts (section 8.3);
  /// a character set of one before it counts too, where the type is the same. nil where none is.
  package init?(field: String) {
    if let plain = Self.plain(field) {
      self = plain
      return
    }
    var found: MediaType?
    for member in FieldSyntax.parts(of: field[...].utf8, between: UInt8(ascii: ",")) {
      guard let next = MediaType(member: member) else { continue }
      found = MediaType(next.name, charset: next.charset ?? (next.name == found?.name ? found?.charset : nil))
    }
    guard let found else { return nil }
    self = found
  }

  /// Reads a field that is a type without parameters, or with a character set alone that needs no quotes, as most are: byte by
  /// byte, since every response has one.
  private static func plain(_ field: String) -> MediaType? {
    let bytes = field.utf8.span
    guard let slash = end(ofTokenIn: bytes, from: 0), slash < bytes.count, bytes[slash] == UInt8(ascii: "/"),
      let end = end(ofTokenIn: bytes, from: slash + 1), field.utf8.first != UInt8(ascii: "*")
    else { return nil }
    if end == bytes.count { return MediaType(field.lowercased(), charset: nil) }
    let name = String(field.utf8.prefix(end)) ?? ""
    let value = field.utf8.dropFirst(end)
    for mark in ["; charset=", ";charset="] where value.starts(with: mark.utf8) {
      let start = end + mark.utf8.count
      guard Self.end(ofTokenIn: bytes, from: start) == bytes.count else { return nil }
      return MediaType(name.lowercased(), charset: String(field.utf8.dropFirst(start))?.lowercased())
    }
    return nil
  }

  /// Where the token that begins there ends; nil where none does.
  private static func end(ofTokenIn bytes: Span<UInt8>, from start: Int) -> Int? {
    var end = start
    while end < bytes.count, HeaderField.isTokenByte(bytes[end]) { end += 1 }
    return end > start ? end : nil
  }

  /// A media type as given.
  package init(_ name: String, charset: String?) {
    self.name = name
    self.charset = charset
  }

  private init?(member: Substring.UTF8View) {
    let parts = FieldSyntax.parts(of: member, between: UInt8(ascii: ";"))
    guard let first = parts.first, let name = Self.name(first) else { return nil }
    self.init(name, charset: Self.charset(in: parts.dropFirst()))
  }

  /// Type and subtype in small letters: a token, a slash and another; nil for what is none.
  package static func name(_ text: Substring.UTF8View) -> String? {
    let name = String(decoding: FieldSyntax.trimmed(text), as: UTF8.self).lowercased()
    let sides = name.split(separator: "/", omittingEmptySubsequences: false)
    return sides.count == 2 && name != "*/*" && sides.allSatisfy { HeaderField.isToken(String($0)) } ? name : nil
  }

  /// The first character set among parameters (section 5.6.6), each as it stands between two semicolons.
  package static func charset(in parameters: some Sequence<Substring.UTF8View>) -> String? {
    for parameter in parameters {
      guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")),
        String(decoding: FieldSyntax.trimmed(parameter[..<equals]), as: UTF8.self).lowercased() == "charset"
      else { continue }
      let content = FieldSyntax.value(of: parameter[equals...].dropFirst())
      let value = String(decoding: content, as: UTF8.self).lowercased()
      if !value.isEmpty { return value }
    }
    return nil
  }
}
