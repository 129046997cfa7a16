// SPDX-License-Identifier: Apache-2.0

/// Rows with a faint label before them, one column of a report.
struct LabelledRows {
  private let labelWidth: Int
  private let columns: Int
  private let paint: Paint
  private(set) var lines: [String] = []

  init(labelWidth: Int, columns: Int, paint: Paint) {
    self.labelWidth = labelWidth
    self.columns = columns
    self.paint = paint
  }

  /// Columns that are left beside the labels.
  var room: Int { columns - labelWidth }

  /// A row of prose, wrapped.
  mutating func add(_ label: String, _ text: String, _ role: Paint.Role? = nil) {
    add(label, TextLayout.wrap(text, room).map { line in role.map { paint(line, $0) } ?? line })
  }

  /// A row of lines that are laid out already. No lines, no row.
  mutating func add(_ label: String, _ block: [String]) {
    for (index, line) in block.enumerated() {
      lines.append(paint(TextLayout.fill(index == 0 ? label : "", labelWidth), .faint) + line)
    }
  }
}
