// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// What follows the table of a lesson: that its times are those of one run, or, where examples were repeated, a second table
/// with the medians of their figures.
struct MedianRows {
  private let runs: [[ExampleResult]]
  private let lesson: ReportedLesson
  private let style: TextStyle

  init(_ lesson: LessonResult, style: TextStyle) {
    let ids = lesson.examples.map(\.id)
    let once = ids.indices.filter { ids.firstIndex(of: ids[$0]) == $0 }.map { ids[$0] }
    runs = once.map { id in lesson.examples.filter { $0.id == id } }
    // The columns are those figures alone that have medians.
    var reported = ReportedLesson(lesson)
    (reported.subject, reported.shows) = (nil, [])
    (self.lesson, self.style) = (reported, style)
  }

  /// The lines; none where nothing has run.
  var lines: [String] {
    guard let most = runs.map(\.count).max() else { return [] }
    guard most > 1 else {
      let note: Phrase = "One run of each: its times tell little. --repeat 5 gives medians."
      return TextLayout.wrap(style.say(note), style.width).map { style.paint($0, .faint) }
    }
    let table = HeadTable(lesson, columns: [.end, .time, .peak, .silence], style: style)
    var lines = ["", style.paint(style.say("Medians of \(most) runs"), .heading), table.head]
    var previous: ExampleResult?
    for run in runs {
      let median = Self.median(run)
      lines += table.row(median, after: previous, isMedian: true)
      previous = median
    }
    return lines
  }

  /// The commonest end of the runs, of several the one that came first, with the medians of the amounts of those runs.
  private static func median(_ all: [ExampleResult]) -> ExampleResult {
    let ends = Dictionary(grouping: all, by: \.outcome.kind)
    let most = ends.values.map(\.count).max() ?? 0
    var median = all.first { ends[$0.outcome.kind]?.count == most } ?? all[0]
    let runs = ends[median.outcome.kind] ?? all
    median.time.wall = runs.map(\.time.wall).median
    median.memory.growth = Int(runs.map { Double($0.memory.growth) }.median)
    median.mainThread.longestGap = runs.map(\.mainThread.longestGap).median
    return median
  }
}
