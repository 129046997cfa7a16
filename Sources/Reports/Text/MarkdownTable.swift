// SPDX-License-Identifier: Apache-2.0

/// A table of Markdown (rows of cells between bars) as columns of a terminal.
struct MarkdownTable {
  private var rows: [[String]] = []

  /// True if there is no row yet.
  var isEmpty: Bool { rows.isEmpty }

  /// Takes a line that begins with a bar; the line below the head only marks it.
  mutating func take(_ line: String) {
    let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { String($0.drop { $0 == " " }).trimmedEnd }
    if !cells.allSatisfy({ !$0.isEmpty && $0.allSatisfy { "-:".contains($0) } }) { rows.append(cells) }
  }

  /// Makes the table at most `columns` wide and answers the heads of the columns that it leaves out, in their order: first these
  /// by their places, one after the other, then the texts of the first two columns are cut.
  mutating func narrow(to columns: Int, leavingOut order: [Int]) -> [String] {
    guard let head = rows.first, head.count > 2 else { return [] }
    var kept = Array(head.indices)
    var widths = self.widths
    let whole = widths[0]
    widths[0] = min(whole, Self.leastName)
    func width() -> Int { kept.reduce(2 * (kept.count - 1)) { $0 + widths[$1] } }
    for place in order where width() > columns { kept.removeAll { $0 == place } }
    for place in [1, 0] { widths[place] = max(8, widths[place] - max(0, width() - columns)) }
    widths[0] = max(widths[0], min(whole, widths[0] + columns - width()))
    rows = rows.map { row in kept.map { TextLayout.shortened(cell($0, of: row), widths[$0]) } }
    return head.indices.filter { !kept.contains($0) }.map { head[$0] }
  }

  /// The columns of a terminal that the first column keeps as long as others can be left out.
  private static let leastName = 28

  /// The columns of a terminal that a text keeps which wraps within its column.
  private static let leastText = 16

  private var widths: [Int] {
    (rows.first ?? []).indices.map { column in rows.map { TextLayout.width(cell(column, of: $0)) }.max() ?? 0 }
  }

  /// The rows, the first one as the head. Figures stand at the right of their column. Where the table is wider than
  /// `columns`, the texts of a table of numbered rows wrap within their columns; where that makes them too narrow, and in
  /// any other table, each row becomes a block of lines, a cell each.
  func lines(_ columns: Int, paint: Paint) -> [String] {
    guard !rows.isEmpty else { return [] }
    guard let widths = fitting(columns) else { return blocks(columns, paint: paint) }
    return rows.enumerated().flatMap { index, row in
      let cells = widths.indices.map { TextLayout.wrap(cell($0, of: row), widths[$0]) }
      return (0..<(cells.map(\.count).max() ?? 0)).map { place in
        let line = widths.indices.map { column in
          let text = place < cells[column].count ? cells[column][place] : ""
          return isFigures(column)
            ? TextLayout.fillLeft(text, widths[column]) : TextLayout.fill(text, widths[column])
        }.joined(separator: "  ").trimmedEnd
        return index == 0 ? paint(line, .faint) : line
      }
    }
  }

  /// The widths of the columns of a table that is at most `columns` wide: the widest texts are narrowed to a common width.
  /// Nil where that is not enough for words, or where no number tells where a row begins.
  private func fitting(_ columns: Int) -> [Int]? {
    let widths = widths
    let room = columns - 2 * (widths.count - 1)
    guard widths.reduce(0, +) > room else { return widths }
    let texts = widths.indices.filter { !isFigures($0) }
    guard widths.count > 2, isFigures(0), !texts.isEmpty else { return nil }
    var left = room - widths.indices.filter(isFigures).reduce(0) { $0 + widths[$1] }
    var fitted = widths
    for (place, column) in texts.sorted(by: { widths[$0] < widths[$1] }).enumerated() {
      fitted[column] = min(widths[column], left / (texts.count - place))
      guard fitted[column] == widths[column] || fitted[column] >= Self.leastText else { return nil }
      left -= fitted[column]
    }
    return fitted
  }

  /// A block for each row; a number and the name behind it are the block's first line.
  private func blocks(_ columns: Int, paint: Paint) -> [String] {
    let isNumbered = isFigures(0) && rows[0].count > 2
    let head = Array(rows[0].dropFirst(isNumbered ? 2 : 1))
    let label = (head.map(TextLayout.width).max() ?? 0) + 2
    return rows.dropFirst().flatMap { row in
      let name = cell(0, of: row) + (isNumbered ? "  " + cell(1, of: row) : "")
      return TextLayout.wrap(name, columns, indent: isNumbered ? TextLayout.width(cell(0, of: row)) + 2 : 0)
        + head.enumerated().flatMap { place, title in
          TextLayout.wrap(cell(place + (isNumbered ? 2 : 1), of: row), columns - 2 - label).enumerated()
            .map { index, line in "  " + paint(TextLayout.fill(index == 0 ? title : "", label), .faint) + line }
        }
    }
  }

  private func cell(_ column: Int, of row: [String]) -> String { column < row.count ? row[column] : "" }

  private func isFigures(_ column: Int) -> Bool {
    rows.dropFirst().allSatisfy { cell(column, of: $0).first?.isNumber ?? true }
  }
}
