// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A table as somebody else's program wrote it (RFC 4180, or with semicolons or tabs). Each field keeps its bytes, so that what
/// is not changed is written as it was read: quotes, line ends and the mark at the beginning.
struct CSVTable: Sendable {
  /// Why bytes are no table.
  enum Fault: Error, Hashable {
    /// This line, from 1, has bytes that are no UTF-8.
    case encoding(line: Int)
    /// The field that begins on this line, from 1, has no closing quote.
    case quote(line: Int)
  }

  private struct Field: Sendable {
    var bytes: ArraySlice<UInt8>
    var text: String
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Rows of fields, and what ends each row.
  private var rows: [(fields: [Field], end: ArraySlice<UInt8>)] = []
  private let separator: UInt8
  private let hasMark: Bool

  /// Reads a table.
  init(_ data: Data) throws(Fault) {
    var bytes = Array(data)[...]
    hasMark = bytes.starts(with: Self.mark)
    if hasMark { bytes = bytes.dropFirst(Self.mark.count) }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .encoding(line: StudentFile.brokenLine(of: Data(bytes)))
    }
    separator = Self.separator(of: bytes)
    while !bytes.isEmpty { try readRow(&bytes) }
  }

  /// The one of the usual separators that the first line has most of.
  private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let usual = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return usual.reversed().max { first, second in line.count { $0 == first } < line.count { $0 == second } }
      ?? usual[0]
  }

  private mutating func readRow(_ bytes: inout ArraySlice<UInt8>) throws(Fault) {
    var fields: [Field] = []
    while true {
      fields.append(try readField(&bytes))
      guard bytes.first == separator else { break }
      bytes = bytes.dropFirst()
    }
    let isPair = bytes.starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
    let end = bytes.prefix(isPair ? 2 : 1)
    bytes = bytes.dropFirst(end.count)
    rows.append((fields, end))
  }

  private func readField(_ bytes: inout ArraySlice<UInt8>) throws(Fault) -> Field {
    let quote = UInt8(ascii: "\"")
    let whole = bytes
    var text: [UInt8] = []
    if bytes.first == quote {
      let line = 1 + rows.reduce(0) { $0 + 1 + Self.breaks(in: $1.fields) }
      bytes = bytes.dropFirst()
      while true {
        guard let next = bytes.popFirst() else { throw .quote(line: line) }
        guard next != quote || bytes.first == quote else { break }
        text.append(next)
        if next == quote { bytes = bytes.dropFirst() }
      }
    }
    while let next = bytes.first, next != separator, next != UInt8(ascii: "\n"), next != UInt8(ascii: "\r") {
      text.append(next)
      bytes = bytes.dropFirst()
    }
    return Field(bytes: whole[whole.startIndex..<bytes.startIndex], text: String(decoding: text, as: UTF8.self))
  }

  /// The line feeds within fields.
  private static func breaks(in fields: [Field]) -> Int {
    fields.reduce(0) { sum, field in sum + field.bytes.count { $0 == UInt8(ascii: "\n") } }
  }

  // MARK: - Fields

  /// How many rows there are, the first one with the columns' names among them.
  var count: Int { rows.count }

  /// The names of the columns, without spaces around them.
  var columns: [String] { rows.first?.fields.map { $0.text.trimmingCharacters(in: .whitespaces) } ?? [] }

  /// The text of a field; empty where the row has none.
  func text(_ row: Int, _ column: Int) -> String {
    rows[row].fields.indices.contains(column) ? rows[row].fields[column].text : ""
  }

  /// Replaces a field, where the row has it.
  mutating func set(_ row: Int, _ column: Int, to text: String) {
    guard rows[row].fields.indices.contains(column) else { return }
    let written = CSVWords.field(text, separator: Character(UnicodeScalar(separator)))
    rows[row].fields[column] = Field(bytes: Array(written.utf8)[...], text: text)
  }

  /// The whole table.
  var text: String {
    var bytes = hasMark ? Self.mark : []
    for row in rows {
      bytes += row.fields.map(\.bytes).joined(separator: [separator])
      bytes += row.end
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
