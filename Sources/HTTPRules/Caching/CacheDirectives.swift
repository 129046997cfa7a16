// SPDX-License-Identifier: Apache-2.0

/// The directives of Cache-Control fields (RFC 9111 section 5.2). Pure; takes any text.
package struct CacheDirectives: Hashable, Sendable {
  /// The value that an age beyond any clock stands for (RFC 9111 section 1.2.2).
  package static let longest: Int64 = 2_147_483_648

  private var arguments: [String: String?] = [:]

  /// The directives of one field's value, or of several joined with commas. Names count in any case; the first of several
  /// with one name counts (section 4.2.1).
  package init(_ value: String?) {
    guard let value else { return }
    for directive in FieldSyntax.parts(of: value[...].utf8, between: UInt8(ascii: ",")) {
      let sides = directive.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: FieldSyntax.trimmed(sides[0]), as: UTF8.self).lowercased()
      guard !name.isEmpty, arguments[name] == nil else { continue }
      let argument = sides.count > 1 ? String(decoding: FieldSyntax.value(of: sides[1]), as: UTF8.self) : nil
      arguments[name] = .some(argument)
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
}
