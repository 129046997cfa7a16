// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The table of behaviour for a terminal: the rows below their feature, ours and the toolchain's beside each other.
public struct BehaviourText {
  private let table: BehaviourTable
  private let style: TextStyle
  private static let cellWidth = 16

  /// The table in this style.
  public init(_ table: BehaviourTable, style: TextStyle) {
    (self.table, self.style) = (table, style)
  }

  /// All of it, each line ended.
  public var text: String {
    var lines: [String] = []
    for feature in table.features {
      lines += [style.paint(feature, .heading), head]
      lines += table.rows.filter { $0.feature == feature }.flatMap(self.lines) + [""]
    }
    return style.finished(lines + TextLayout.wrap(style.say(table.sum), style.width))
  }

  private var nameWidth: Int { max(20, style.width - 2 * (Self.cellWidth + 1) - 2) }

  private var head: String {
    let columns = [style.say("ours"), style.say("the toolchain’s")].map { TextLayout.fill($0, Self.cellWidth) }
    let line = TextLayout.fill("", nameWidth + 2) + " " + columns.joined(separator: " ")
    return style.paint(line.trimmedEnd, .faint)
  }

  private func lines(_ row: BehaviourTable.Row) -> [String] {
    let names = TextLayout.wrap(row.member, nameWidth, indent: 2)
    let cells = [row.ours, row.toolchain].map { TextLayout.wrap(style.say($0.words), Self.cellWidth) }
    let roles = [row.ours, row.toolchain].map { Self.role($0.verdict) }
    let height = max(names.count, cells.map(\.count).max() ?? 0)
    return (0..<height).map { index in
      let name = "  " + TextLayout.fill(names.indices.contains(index) ? names[index] : "", nameWidth)
      let parts = zip(cells, roles).map { lines, role in
        let text = TextLayout.fill(lines.indices.contains(index) ? lines[index] : "", Self.cellWidth)
        return role.map { style.paint(text, $0) } ?? text
      }
      return (name + " " + parts.joined(separator: " ")).trimmedEnd
    }
  }

  private static func role(_ verdict: BehaviourTable.Cell.Verdict) -> Paint.Role? {
    switch verdict {
    case .yes: .good
    case .no, .unknown: .faint
    case .differs: .doubtful
    }
  }
}
