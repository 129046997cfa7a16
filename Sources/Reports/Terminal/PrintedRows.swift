// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The lines that a program printed, each behind its time.
struct PrintedRows {
  private static let most = 12
  private let printed: [ProgramLine]
  private let isWhole: Bool
  private let style: TextStyle
  private let columns: Int

  init(_ printed: [ProgramLine], isWhole: Bool, style: TextStyle, columns: Int) {
    self.printed = printed
    self.isWhole = isWhole
    self.style = style
    self.columns = columns
  }

  /// The rows; of many lines the first and the last ones, and no stack trace, unless all were asked for.
  var lines: [String] {
    guard !isWhole else { return printed.flatMap(rows) }
    let printed = Array(self.printed[..<trace.lowerBound] + self.printed[trace.upperBound...])
    let left: [Phrase] = trace.isEmpty ? [] : ["… \(trace.count) lines of a stack trace"]
    guard printed.count > Self.most else { return printed.flatMap(rows) + left.map(faint) }
    let half = Self.most / 2
    let between = faint("… \(printed.count - 2 * half) more lines …")
    return printed.prefix(half).flatMap(rows) + [between] + printed.suffix(half).flatMap(rows) + left.map(faint)
  }

  /// The lines that Swift's runtime prints behind the message of a crash: a heading, then the frames by number.
  private var trace: Range<Int> {
    guard let start = printed.lastIndex(where: { $0.text == "Current stack trace:" }) else { return 0..<0 }
    let frames = printed[(start + 1)...].prefix { $0.text.prefixMatch(of: /\d+ +\S+ +0x/) != nil }
    return start..<frames.endIndex
  }

  private func faint(_ text: Phrase) -> String { style.paint(style.say(text), .faint) }

  private func rows(_ line: ProgramLine) -> [String] {
    let time = TextLayout.fillLeft(line.instant.map { Figures.time($0) } ?? "", 8)
    return TextLayout.wrap(line.text, columns - 10).enumerated().map { index, text in
      style.paint(index == 0 ? time : String(repeating: " ", count: 8), .faint) + "  " + text
    }
  }
}
