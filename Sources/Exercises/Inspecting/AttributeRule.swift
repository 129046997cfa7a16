// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The attributes that an exercise may not use: with them a file runs before its limits are set, stands in for the C
/// library's functions or for ours, or reaches what it did not import.
///
/// Problem: between the at sign and the name the compiler takes backticks, and at times white space and comments. Choice:
/// the name is found as the compiler's lexer would, and more generously. All names that begin with an underscore are closed:
/// they belong to the compiler's authors, and each new version has further ones. What gets by all the same shows in the
/// object file, see `ObjectRule`.
struct AttributeRule {
  private static let closed: Set = [
    "abi", "c", "cdecl", "export", "extern", "implementation", "section", "silgen_name", "testable", "used",
  ]

  private var rest: Substring.UnicodeScalarView

  /// Why a file with this source is not accepted; nil when it is. Comments and strings count, for telling them apart is
  /// left to the compiler.
  static func refusal(of source: String) -> Phrase? {
    var rest = source[...].unicodeScalars
    while let sign = rest.firstIndex(of: "@") {
      rest = rest[rest.index(after: sign)...]
      var rule = AttributeRule(rest: rest)
      if let name = rule.closedName() {
        return "it has the attribute @\(name), which is closed to exercises; remove it"
      }
    }
    return nil
  }

  /// The name at the beginning, where it is a closed one.
  private mutating func closedName() -> String? {
    skipBetween()
    let name = String(String.UnicodeScalarView(rest.prefix(while: Self.isOfName)))
    rest = rest.dropFirst(name.unicodeScalars.count)
    // A single letter is taken for a name where it does not go on as an address does, such as me@c.example.
    let isAddress = name.count == 1 && (rest.first == "." || rest.first == "-")
    guard name.hasPrefix("_") || Self.closed.contains(name), !isAddress else { return nil }
    return name
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDContinue
  }

  /// Passes over what may stand between the at sign and the name: white space, characters that show nothing, backticks and
  /// comments, which nest.
  private mutating func skipBetween() {
    while let next = rest.first {
      if next == "/", rest.dropFirst().first == "/" {
        rest = rest.drop { $0 != "\n" && $0 != "\r" }
      } else if next == "/", rest.dropFirst().first == "*" {
        skipComment()
      } else if next == "`" || Self.showsNothing(next) {
        rest = rest.dropFirst()
      } else {
        return
      }
    }
  }

  private static func showsNothing(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
      || scalar.properties.generalCategory == .control
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      let two = (rest.first, rest.dropFirst().first)
      let isMark = two == ("/", "*") || two == ("*", "/")
      if isMark { depth += two.0 == "/" ? 1 : -1 }
      rest = rest.dropFirst(isMark ? 2 : 1)
    } while depth > 0 && !rest.isEmpty
  }
}
