// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// What a run of several lessons comes to: how many lessons and examples, the claims by their verdicts, and whatever came
/// out otherwise than expected.
public struct RunSummary {
  private let report: RunReport
  private let surprises: [String]

  /// A summary of `report`; `surprises` are the examples that did not end as they should.
  public init(_ report: RunReport, surprises: [String]) {
    self.report = report
    self.surprises = surprises
  }

  /// The summary for a terminal.
  public func text(style: TextStyle) -> String {
    let examples = report.lessons.reduce(0) { $0 + $1.examples.count }
    var lines = [
      style.paint("Summary", .heading),
      "\(Figures.count(report.lessons.count, "lesson")), \(Figures.count(examples, "example")), \(verdicts)",
    ]
    lines +=
      unexpected.isEmpty ? [style.paint("All came out as expected.", .good)] : unexpected.map { style.paint($0, .bad) }
    return lines.flatMap { TextLayout.wrap($0, style.width, indent: 2) }.map { $0.trimmedEnd + "\n" }.joined()
  }

  /// Each claim counts once, however many lessons settle it; one that got different verdicts counts as what was not
  /// expected of it.
  private var verdicts: String {
    let claims = Dictionary(grouping: report.lessons.flatMap(\.claims), by: \.id).values.compactMap { settled in
      settled.first { $0.verdict != $0.expected } ?? settled.first
    }
    let counts = Verdict.allCases.compactMap { verdict in
      let count = claims.count { $0.verdict == verdict }
      return count > 0 ? "\(count) \(verdict.rawValue)" : nil
    }
    return "\(claims.count) of \(Figures.count(ClaimTable.rows.count, "claim")): \(counts.joined(separator: ", "))"
  }

  private var unexpected: [String] {
    let claims = report.lessons.flatMap { lesson in
      lesson.claims.filter { $0.verdict != $0.expected }.map { claim in
        "\(lesson.id) \(claim.id) came out \(claim.verdict.rawValue), expected \(claim.expected.rawValue): \(claim.measured)"
      }
    }
    return claims + surprises
  }
}
