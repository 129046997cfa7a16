// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// One example's line in the head-to-head table of a page.
public struct ExampleRow: Codable, Sendable, Hashable {
  private static let metrics: [Metric] = [.end, .time, .peak, .silence, .callbacks, .requests]

  /// The example's name in its lesson, such as `connection/delegate-main`.
  public var id: String
  /// Its side.
  public var side: Side
  /// The figures, in the order of the words above them.
  public var cells: [Phrase]

  /// The line of a result, in a table about that subject; nil for a table of examples of several lessons.
  public init(_ example: ExampleResult, about subject: Subject?) {
    id = example.id
    side = example.side
    cells = Self.metrics(about: subject).map { $0.words(example) }
  }

  /// The words above the cells, the example's own column first, then the figure that the table is about.
  public static func columns(about subject: Subject?) -> [Phrase] {
    ["example"]
      + metrics(about: subject).map { metric in
        switch metric {
        case .peak: "memory peak"
        case .silence: "main silent"
        case .touchCallbacks: "callbacks during the touch"
        default: metric.title
        }
      }
  }

  /// The cells of a result's row, those that tell what is wrong marked.
  static func cells(_ example: ExampleResult, about subject: Subject?, _ say: StringCatalogue) -> [Cell] {
    metrics(about: subject).map { Cell(text: say($0.words(example)), isWrong: $0.tellsFault(of: example)) }
  }

  /// A cell as the template has it.
  struct Cell: CustomStringConvertible {
    var text: String
    var isWrong: Bool
    var description: String { text }
  }

  private static func metrics(about subject: Subject?) -> [Metric] {
    Metric.columns(about: subject, metrics, in: .max)
  }
}
