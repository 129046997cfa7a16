// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// One example's line in the head-to-head table of a page.
public struct ExampleRow: Codable, Sendable, Hashable {
  /// The words above the cells, the example's own column first.
  public static let columns: [Phrase] = [
    "example", "end", "time", "memory peak", "longest gap of main", "callbacks", "requests",
  ]

  /// The example's name in its lesson, such as `connection/delegate-main`.
  public var id: String
  /// Its side.
  public var side: Side
  /// End, time, memory peak, longest gap of main, callbacks, requests.
  public var cells: [Phrase]

  /// The line of a result.
  public init(_ example: ExampleResult) {
    let isMeasured = example.memory.peak > 0
    let (growth, gap) = (Figures.size(example.memory.growth), Figures.time(example.mainThread.longestGap))
    id = example.id
    side = example.side
    cells = [
      example.outcome.kind.words, Phrase(verbatim: Figures.time(example.time.wall)),
      Phrase(verbatim: isMeasured ? "+" + growth : "–"), Phrase(verbatim: isMeasured ? gap : "–"),
      ExampleFigure.places(example), Phrase(verbatim: "\(example.traffic.requests)"),
    ]
  }
}
