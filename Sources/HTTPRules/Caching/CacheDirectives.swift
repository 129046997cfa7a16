// SPDX-License-Identifier: Apache-2.0

/// The directives of Cache-Control fields (RFC 9111 section 5.2). Pure; takes any text.
package struct CacheDirectives: Hashable, Sendable {
  /// The value that an age beyond any clock stands for (RFC 9111 section 1.2.2).
  package static let longest: Int64 = 2_147_483_648

  private var arguments: [String: String?] = [:]

  /// The directives of one field's value, or of several joined with commas. Names count in any case; the first of several
  /// with one name counts (section 4.2.1).
  package init(_ value: String?) {
    var rest = Array((value ?? "").utf8)[...]
    while !rest.isEmpty {
      let directive = Self.next(&rest)
      let sides = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = sides.first else { continue }
      let name = String(decoding: Self.trimmed(first), as: UTF8.self).lowercased()
      guard !name.isEmpty, arguments[name] == nil else { continue }
      arguments[name] = .some(sides.count > 1 ? Self.unquoted(Self.trimmed(sides[1])) : nil)
    }
  }

  /// True if there is a directive of this name.
  package func contains(_ name: String) -> Bool { arguments[name] != nil }

  /// True if the directive of this name has an argument, be it no number.
  package func hasArgument(_ name: String) -> Bool { arguments[name].flatMap { $0 } != nil }

  /// The seconds of a directive: nil without such a directive; 0 where it has no number, so that the doubtful counts as
  /// stale; clamped.
  package func seconds(_ name: String) -> Int64? {
    guard let argument = arguments[name] else { return nil }
    return argument.flatMap { Self.deltaSeconds($0) } ?? 0
  }

  /// Digits as seconds, clamped; nil for anything else (section 1.2.2).
  package static func deltaSeconds(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.utf8.reduce(0) { min(longest, $0 * 10 + Int64($1 - 0x30)) }
  }

  /// Up to the next comma that stands in no quoted string.
  private static func next(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var isQuoted = false
    var isEscaped = false
    for index in rest.indices {
      let byte = rest[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ","), !isQuoted {
        defer { rest = rest[(index + 1)...] }
        return rest[..<index]
      }
    }
    defer { rest = [] }
    return rest
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
  }

  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
  }
}
