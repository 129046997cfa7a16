// SPDX-License-Identifier: Apache-2.0

/// A table of Markdown (rows of cells between bars) as columns of a terminal.
struct MarkdownTable {
  private var rows: [[String]] = []

  /// Whether there is no row yet.
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

  private var widths: [Int] {
    (rows.first ?? []).indices.map { column in rows.map { TextLayout.width(cell(column, of: $0)) }.max() ?? 0 }
  }

  /// The rows, the first one as the head. Figures stand at the right of their column. Where the table is wider than
  /// `columns`, each row becomes a block of lines, a cell each.
  func lines(_ columns: Int, paint: Paint) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widths = widths
    guard widths.reduce(0, +) + 2 * (widths.count - 1) <= columns else { return blocks(columns, paint: paint) }
    return rows.enumerated().map { index, row in
      let line = widths.indices.map { column in
        isFigures(column)
          ? TextLayout.fillLeft(cell(column, of: row), widths[column])
          : TextLayout.fill(cell(column, of: row), widths[column])
      }.joined(separator: "  ")
      return index == 0 ? paint(line.trimmedEnd, .faint) : line
    }
  }

  private func blocks(_ columns: Int, paint: Paint) -> [String] {
    let head = rows[0]
    let label = (head.dropFirst().map(TextLayout.width).max() ?? 0) + 2
    return rows.dropFirst().flatMap { row in
      TextLayout.wrap(cell(0, of: row), columns)
        + head.indices.dropFirst().flatMap { column in
          TextLayout.wrap(cell(column, of: row), columns - 2 - label).enumerated().map { index, line in
            "  " + paint(TextLayout.fill(index == 0 ? head[column] : "", label), .faint) + line
          }
        }
    }
  }

  private func cell(_ column: Int, of row: [String]) -> String { column < row.count ? row[column] : "" }

  private func isFigures(_ column: Int) -> Bool {
    rows.dropFirst().allSatisfy { cell(column, of: $0).first?.isNumber ?? true }
  }
}
