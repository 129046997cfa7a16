// SPDX-License-Identifier: Apache-2.0

/// Fields of a table as RFC 4180 writes them.
enum CSVWords {
  /// The mark that a spreadsheet takes for the sign that a file is UTF-8.
  static let mark = "\u{FEFF}"

  /// A field, in quotes where it holds what would end it (section 2, rules 5 to 7).
  static func field(_ text: String, separator: Character = ",") -> String {
    let needsQuotes = text.unicodeScalars.contains { "\"\n\r".unicodeScalars.contains($0) } || text.contains(separator)
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }

  /// A name that a student chose. A spreadsheet would take one that begins so for a formula, and compute it.
  static func name(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) else { return field(text) }
    return field("'" + text)
  }

  /// A row, ended.
  static func row(_ fields: [String]) -> String { fields.joined(separator: ",") + "\r\n" }
}
