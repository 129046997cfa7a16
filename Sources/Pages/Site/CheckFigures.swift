// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import LessonKit
import Reports

/// The drawings of a check's report: for each check that does not hold the run that decides on it, beside the run of the
/// lesson's good example.
struct CheckFigures {
  private let report: CheckReport
  private let good: MeasuredRun?
  private let say: StringCatalogue

  init(_ report: CheckReport, good: MeasuredRun?, _ say: StringCatalogue) {
    (self.report, self.good, self.say) = (report, good, say)
  }

  /// The drawings of one check as HTML; empty where no drawing shows what it looks at.
  ///
  /// - Throws: a template's error, which no text causes.
  func html(of check: CheckReport.Check) throws -> String {
    guard let mark = check.mark, let kept = report.runs.first(where: { $0.checks.contains(check.id) }),
      let own = kept.figure(of: report.exercise, named: { "Your program (\($0))" })
    else { return "" }
    let good = good?.figure(of: report.exercise, named: { "The lesson’s good example (\($0))" })
    return try CheckFigure(mark, wanted: check.wanted, in: own, showing: kept.shown ?? [], beside: good, say).html()
  }
}

extension MeasuredRun {
  /// The run for a drawing; nil where it cannot be read.
  fileprivate func figure(of exercise: String, named words: (String) -> Phrase) -> RunFigures.Run? {
    run(of: exercise).map { example, report in
      let cut: Phrase = isCut ? "More happened than is drawn." : .empty
      return RunFigures.Run(example: example, of: report, words: [words(example.id), cut].joined(" "))
    }
  }

  /// The example with its report; nil where it cannot be read.
  func run(of exercise: String) -> (ExampleResult, RunReport)? {
    guard report.utf8.count <= Self.limit, let run = try? JSONReport.run(from: Data(report.utf8), named: exercise),
      let example = run.lessons.first?.examples.first
    else { return nil }
    return (example, run)
  }
}
