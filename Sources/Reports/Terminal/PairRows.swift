// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The end of a wide report: a line for each pair of examples, NSURLConnection's left and URLSession's right, with the figure
/// that the lesson is about, how much memory each needed, on which thread its callbacks came, and how long main was silent.
struct PairRows {
  private static let leastName = 16
  private let cells: [Metric]
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
    cells = Metric.columns(about: lesson.subject, [.peak, .callbacks, .silence], in: columns - Self.leastName)
    let room = columns - Metric.width(of: cells)
    nameWidth = min(max(longest + 1, Self.titles.map(TextLayout.width).max() ?? 0), room)
  }

  /// The lines; none on a narrow terminal, or where no pair has run.
  var lines: [String] {
    guard style.width >= TextStyle.wide, !pairs.isEmpty else { return [] }
    let heads = Self.titles.map { title in
      style.paint(line(title, cells.map { style.say($0.title) }).trimmedEnd, .faint)
    }
    return ["", style.paint(style.say("The pairs"), .heading), beside(heads)] + pairs.flatMap(rows)
  }

  private static let titles = ["NSURLConnection", "URLSession"]

  /// The figures of a pair; what differs stands out. Below them what one of the two does beyond the common job.
  private func rows(_ pair: [ExampleResult]) -> [String] {
    let halves = pair.map { example in
      let cells = cells.map { cell in
        let text = cell.text(example, style)
        let isOther = pair.contains { cell.text($0, style) != text && cell.differs($0, example) }
        return isOther ? style.paint(text, .heading) : text
      }
      return line(style.paint(TextLayout.shortened(example.name, nameWidth), Paint.Role(example.side)), cells)
    }
    let known = lesson.pairs.first { $0.connection == pair[0].id && $0.session == pair[1].id }
    return [beside(halves)] + (known?.differenceLines(style) ?? [])
  }

  private func line(_ name: String, _ cells: [String]) -> String {
    let filled = zip(cells, self.cells).map { TextLayout.fill($0, $1.width) }
    return TextLayout.fill(name, nameWidth) + " " + filled.joined(separator: " ")
  }

  private func beside(_ halves: [String]) -> String {
    TextLayout.fill(halves[0], columns) + style.paint(" │ ", .faint) + halves[1].trimmedEnd
  }
}
