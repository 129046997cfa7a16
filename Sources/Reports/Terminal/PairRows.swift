// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The end of a wide report: a line for each pair of examples, NSURLConnection's left and URLSession's right, with how much
/// memory each needed, on which thread its callbacks came, and how long main was silent.
struct PairRows {
  private static let cells: [ExampleCell] = [.peak, .callbacks, .silence]

  private let lesson: LessonResult
  private let pairs: [[ExampleResult]]
  private let nameWidth: Int
  private let columns: Int
  private let style: TextStyle

  init(_ lesson: LessonResult, style: TextStyle) {
    (self.lesson, self.style) = (lesson, style)
    pairs = ExamplePairing(lesson).rows.filter { $0.count == 2 }
    columns = style.halfWidth
    let longest = pairs.joined().map { TextLayout.width($0.name) }.max() ?? 0
    let room = columns - Self.cells.reduce(0) { $0 + $1.width + 1 }
    nameWidth = min(max(longest + 1, Self.titles.map(TextLayout.width).max() ?? 0), room)
  }

  /// The lines; none on a narrow terminal, or where no pair has run.
  var lines: [String] {
    guard style.width >= TextStyle.wide, !pairs.isEmpty else { return [] }
    let heads = Self.titles.map { title in
      style.paint(line(title, Self.cells.map { style.say($0.title) }).trimmedEnd, .faint)
    }
    return ["", style.paint(style.say("The pairs"), .heading), beside(heads)] + pairs.flatMap(rows)
  }

  private static let titles = ["NSURLConnection", "URLSession"]

  /// The figures of a pair; what differs stands out. Below them what one of the two does beyond the common job.
  private func rows(_ pair: [ExampleResult]) -> [String] {
    let halves = pair.map { example in
      let cells = Self.cells.map { cell in
        let text = style.say(cell.words(example))
        let isOther = pair.contains { style.say(cell.words($0)) != text && cell.differs($0, example) }
        return isOther ? style.paint(text, .heading) : text
      }
      return line(style.paint(cut(example.name), Paint.Role(example.side)), cells)
    }
    let known = lesson.pairs.first { $0.connection == pair[0].id && $0.session == pair[1].id }
    return [beside(halves)] + (known?.differenceLines(style) ?? [])
  }

  private func line(_ name: String, _ cells: [String]) -> String {
    let filled = zip(cells, Self.cells).map { TextLayout.fill($0, $1.width) }
    return TextLayout.fill(name, nameWidth) + " " + filled.joined(separator: " ")
  }

  private func cut(_ name: String) -> String {
    TextLayout.width(name) > nameWidth ? TextLayout.cut(name, nameWidth - 1).0 + "…" : name
  }

  private func beside(_ halves: [String]) -> String {
    TextLayout.fill(halves[0], columns) + style.paint(" │ ", .faint) + halves[1].trimmedEnd
  }
}
