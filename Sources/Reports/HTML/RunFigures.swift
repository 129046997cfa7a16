// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// Drawings of single runs for a page that is no report of a run: each as such a report draws it, with what it was measured
/// with. All memory curves have one scale.
public struct RunFigures {
  /// A run to be drawn.
  public struct Run {
    /// The example that was measured.
    public var example: ExampleResult
    /// The report that it is of, which tells machine, date, size and version.
    public var report: RunReport
    /// The words of the page about it; empty for none.
    public var words: Phrase

    /// A run as given.
    public init(example: ExampleResult, of report: RunReport, words: Phrase) {
      (self.example, self.report, self.words) = (example, report, words)
    }
  }

  private let runs: [Run]
  private let id: String
  private let say: StringCatalogue

  /// Drawings of these runs, in this order; `id` tells them from other drawings of the page.
  public init(_ runs: [Run], of id: String, _ say: StringCatalogue) {
    (self.runs, self.id, self.say) = (runs, id, say)
  }

  /// The drawings below a heading of the third level; empty where there is no run.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold; a template's error, which no text causes.
  public func html() throws -> String {
    let templates = try PageTemplates()
    var scale = MemoryDrawing.Scale(runs.map(\.example), bodyBytes: runs.map(\.report.bodyBytes).max() ?? 0)
    return try runs.enumerated().map { number, run in
      var example = run.example
      example.title = say(run.words)
      scale.bodyBytes = run.report.bodyBytes
      let figure = ExampleFigure([example], in: id, number: number, scale: scale, say: say, level: 4)
      let values = try figure.values([example], difference: run.report.circumstances)
      return templates.render("figure", values.compact)
    }.joined()
  }
}
