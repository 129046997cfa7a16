// SPDX-License-Identifier: Apache-2.0

/// The content type whose body is a sequence of responses, each taking the place of the one before
/// (multipart/x-mixed-replace, of which only the syntax of RFC 2046 section 5.1 was ever written down).
package enum MixedReplace {
  /// The boundary that a Content-Type names, or nil when it is of another type or names none that RFC 2046 section 5.1.1
  /// allows: 1 to 70 printable ASCII characters, the last one no space.
  package static func boundary(of contentType: String?) -> [UInt8]? {
    // Every response passes here, and few types begin with an M.
    guard let contentType, let first = contentType.utf8.first(where: { !isSpace($0) }), first | 32 == UInt8(ascii: "m")
    else { return nil }
    var rest = Array(contentType.utf8)[...]
    let type = String(decoding: rest.prefix { $0 != semicolon }, as: UTF8.self)
    guard type.filter({ $0 != " " && $0 != "\t" }).lowercased() == "multipart/x-mixed-replace" else { return nil }
    rest = rest.drop { $0 != semicolon }
    while !rest.isEmpty {
      let (name, value) = takeParameter(&rest)
      if String(decoding: name, as: UTF8.self).lowercased() == "boundary" { return isBoundary(value) ? value : nil }
    }
    return nil
  }

  private static let semicolon = UInt8(ascii: ";")
  private static let quote = UInt8(ascii: "\"")

  private static func isBoundary(_ bytes: [UInt8]) -> Bool {
    (1...70).contains(bytes.count) && bytes.last != 32 && bytes.allSatisfy { (32...126).contains($0) }
  }

  /// Takes `; name=value` off, where the value is a token or a quoted string (RFC 9110 section 5.6.6).
  private static func takeParameter(_ rest: inout ArraySlice<UInt8>) -> (name: [UInt8], value: [UInt8]) {
    rest = rest.drop { $0 == semicolon || isSpace($0) }
    let name = Array(rest.prefix { $0 != UInt8(ascii: "=") && $0 != semicolon && !isSpace($0) })
    rest = rest.dropFirst(name.count).drop(while: isSpace)
    guard rest.first == UInt8(ascii: "=") else { return (name, []) }
    rest = rest.dropFirst().drop(while: isSpace)
    if rest.first == quote { return (name, takeQuoted(&rest)) }
    var value = Array(rest.prefix { $0 != semicolon })
    rest = rest.dropFirst(value.count)
    while let last = value.last, isSpace(last) { value.removeLast() }
    return (name, value)
  }

  private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var value: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst(), byte != quote {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { value.append(escaped) } else { value.append(byte) }
    }
    rest = rest.drop { $0 != semicolon }
    return value
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
