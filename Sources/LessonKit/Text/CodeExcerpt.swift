// SPDX-License-Identifier: Apache-2.0

/// Lines of an example's file that a lesson's text shows: those between `// begin NAME` and `// end NAME`. A line that
/// ends in `// ←` is the one that matters.
public struct CodeExcerpt: Sendable, Hashable {
  /// One line.
  public struct Line: Sendable, Hashable {
    /// The code, without the common indentation and without the arrow.
    public var text: String
    /// True if it is the line that matters.
    public var matters: Bool
  }

  /// The lines in order.
  public let lines: [Line]

  /// The lines between the marks of that name; nil where one of the marks is missing.
  public init?(of source: String, named name: String) {
    let all = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let begin = all.firstIndex(where: { Self.mark(in: $0) == "begin \(name)" }),
      let end = all[begin...].firstIndex(where: { Self.mark(in: $0) == "end \(name)" })
    else { return nil }
    let inside = all[(begin + 1)..<end].filter { Self.mark(in: $0) == nil }
    let indents = inside.filter { $0.contains { $0 != " " } }.map { $0.prefix { $0 == " " }.count }
    let indent = indents.min() ?? 0
    lines = inside.map { line in
      let text = Self.withoutArrow(String(line.dropFirst(indent)))
      return Line(text: text.text, matters: text.matters)
    }
  }

  /// A line of code without its arrow, and whether it had one.
  public static func withoutArrow(_ line: String) -> (text: String, matters: Bool) {
    guard let arrow = line.firstRange(of: "// ←") else { return (line, false) }
    var text = String(line[..<arrow.lowerBound])
    while text.last == " " { text.removeLast() }
    return (text, true)
  }

  /// Reads the words of a line that is a mark, such as `begin as-written`; nil for any other line.
  public static func mark(in line: String) -> String? {
    let text = line.drop { $0 == " " }
    guard text.hasPrefix("// begin ") || text.hasPrefix("// end ") else { return nil }
    let words = text.dropFirst(3).split(separator: " ")
    return words.count == 2 ? words.joined(separator: " ") : nil
  }
}

/// A place in a lesson's text where code from example files stands beside each other:
/// `<!-- code: wrong File.swift#name | right Other.swift#name -->`.
public struct CodeReference: Sendable, Hashable {
  /// The role of the code as an example.
  public enum Role: String, Sendable, Hashable {
    /// How not to do it.
    case wrong
    /// How to do it.
    case right
    /// Neither.
    case shown
  }

  /// The role of the code as an example.
  public var role: Role
  /// The file, below the lesson's folder.
  public var file: String
  /// The name of the marks in it.
  public var name: String

  /// True if the line is meant as such a place, in whatever order it is.
  public static func isMeant(by line: String) -> Bool { line.hasPrefix("<!-- code:") }

  /// The references of such a line; nil where one of them cannot be read.
  public static func all(in line: String) -> [CodeReference]? {
    guard isMeant(by: line), line.hasSuffix("-->") else { return nil }
    let parts = line.dropFirst("<!-- code:".count).dropLast("-->".count).split(separator: "|")
    let references = parts.compactMap { part -> CodeReference? in
      let words = part.split(separator: " ")
      guard words.count == 2, let role = Role(rawValue: String(words[0])) else { return nil }
      let place = words[1].split(separator: "#", omittingEmptySubsequences: false)
      guard place.count == 2, !place[0].isEmpty, !place[1].isEmpty else { return nil }
      return CodeReference(role: role, file: String(place[0]), name: String(place[1]))
    }
    return references.isEmpty || references.count != parts.count ? nil : references
  }
}
