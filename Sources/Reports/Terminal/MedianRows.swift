// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The rows about times in the report of a lesson: a remark that the times are those of one run, or, where examples were
/// repeated, a table with the medians of their figures.
struct MedianRows {
  private let lesson: ReportedLesson
  private let style: TextStyle

  init(_ lesson: ReportedLesson, style: TextStyle) {
    (self.lesson, self.style) = (lesson, style)
  }

  /// The heading and the head of a table of medians.
  func head(of count: Int) -> [String] {
    let title: Phrase = "Medians of \(count) runs"
    return ["", style.paint(style.say(title), .heading), HeadTable(mediansOf: lesson, style: style).head]
  }

  /// The row of an example, after that of `previous`.
  func row(_ runs: RepeatedRuns, after previous: RepeatedRuns?) -> [String] {
    HeadTable(mediansOf: lesson, style: style).row(runs, after: previous)
  }

  /// The whole table.
  func table(of runs: [RepeatedRuns]) -> [String] {
    let rows = runs.indices.flatMap { row(runs[$0], after: $0 > 0 ? runs[$0 - 1] : nil) }
    return head(of: runs.map(\.count).max() ?? 0) + rows
  }

  /// The word on times of single runs.
  var note: [String] {
    let note: Phrase = "One run of each: its times tell little. --repeat 5 gives medians."
    return TextLayout.wrap(style.say(note), style.width).map { style.paint($0, .faint) }
  }
}
