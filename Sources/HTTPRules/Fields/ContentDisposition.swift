// SPDX-License-Identifier: Apache-2.0

/// The file names that a Content-Disposition field proposes (RFC 6266 section 4). Pure.
///
/// The toolchain reads `filename` alone, in this spelling only, and leaves quoted pairs and the bytes of UTF-8 as they are.
package enum ContentDisposition {
  private static let (semicolon, equals, quote) = (UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "\""))

  /// The names in `field`, the better first: `filename*` (RFC 8187), which knows its character set, then `filename`. The
  /// names of parameters are of any case; of two parameters of one name the first counts. None of the names is safe yet.
  package static func names(in field: String) -> [String] {
    let parameters = parameters(in: bytes(of: field))
    return [parameters["filename*"].flatMap(extended), parameters["filename"].map(text)].compactMap(\.self)
  }

  /// The bytes that the server sent: a field holds one in each scalar.
  private static func bytes(of field: String) -> [UInt8] {
    let bytes = field.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    return bytes.count == field.unicodeScalars.count ? bytes : Array(field.utf8)
  }

  private static func parameters(in bytes: [UInt8]) -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    var rest = bytes[...].drop { $0 != semicolon }
    while rest.popFirst() != nil {
      let name = FieldSyntax.trimmed(rest.prefix { $0 != equals && $0 != semicolon })
      rest = rest.drop { $0 != equals && $0 != semicolon }
      guard rest.first == equals else { continue }
      let value = takeValue(&rest)
      let key = String(decoding: name, as: UTF8.self).lowercased()
      if result[key] == nil { result[key] = value }
    }
    return result
  }

  /// Takes an equals sign and what follows it off, up to the next parameter: a token, or a quoted string (RFC 9110 section
  /// 5.6.4), whose quoted pairs are undone.
  private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    rest = rest.dropFirst().drop(while: FieldSyntax.isSpace)
    guard rest.first == quote else {
      defer { rest = rest.drop { $0 != semicolon } }
      return Array(FieldSyntax.trimmed(rest.prefix { $0 != semicolon }))
    }
    rest = rest.dropFirst()
    let value = FieldSyntax.takeQuoted(&rest).content
    rest = rest.drop { $0 != semicolon }
    return value
  }

  /// The value of a parameter whose name ends with a star: character set, language and percent coding; nil for any other.
  private static func extended(_ value: [UInt8]) -> String? {
    let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = decoded(parts[2]) else { return nil }
    switch String(decoding: parts[0], as: UTF8.self).lowercased() {
    case "utf-8": return String(validating: bytes, as: UTF8.self)
    case "iso-8859-1": return latin1(bytes)
    default: return nil
    }
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
      result.append(high << 4 | low)
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }

  /// Raw bytes are UTF-8 where they can be, as browsers read them, else ISO 8859-1.
  private static func text(_ bytes: [UInt8]) -> String { String(validating: bytes, as: UTF8.self) ?? latin1(bytes) }

  private static func latin1(_ bytes: [UInt8]) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
