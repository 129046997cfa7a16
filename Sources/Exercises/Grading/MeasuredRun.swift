// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// A run that decides on a result, kept for a drawing.
///
/// Problem: a page is made of results alone, later and perhaps on another machine, and a student's program decides how much
/// there is to draw. Choice: the result keeps the run as a report in the model that every renderer reads, thinned to what a
/// drawing shows, as one text of bounded size. Rejected: a file beside the result, which every engine would have to carry
/// along; an object within the result, whose indented numbers take five times as many bytes, and which makes the whole
/// result unreadable where it is damaged.
public struct MeasuredRun: Codable, Sendable, Hashable {
  /// The most bytes of a report.
  public static let limit = 96 << 10
  /// The most runs of one exercise.
  public static let most = 3
  /// Instants that lie side by side, from as many as a reader can tell apart down to what always fits.
  private static let grains = [512, 256, 128, 64, 32, 16, 8, 4]

  /// The checks on which the run decides; none where the program did not come to its end.
  public var checks: [String]
  /// True if more happened than is kept.
  public var isCut: Bool
  /// The report, with one example: JSON in UTF-8, without line breaks.
  public var report: String
  /// The values that the program showed in label and bar, as many of them as a drawing shows; nil where it showed nothing.
  public var shown: [ShownValue]?

  /// A run as given.
  public init(checks: [String], isCut: Bool = false, report: String, shown: [ShownValue]? = nil) {
    (self.checks, self.isCut, self.report, self.shown) = (checks, isCut, report, shown)
  }

  /// The run of these facts, measured as `begun` says; nil where its process delivered no measurement that counts.
  init?(_ facts: RunFacts, deciding checks: [String], on exercise: Exercise, _ begun: RunReport) {
    guard facts.run.wasMeasured, facts.run.wasStarted, !facts.run.isForged else { return nil }
    var (report, result) = (begun, facts.run.result)
    report.bodyBytes = facts.bodyBytes
    result.id = facts.caseID
    self.init(result, deciding: checks, on: exercise, report)
    let values = [ShownValue.Kind.progress, .label].flatMap { facts.shown($0).drawable }
    shown = values.isEmpty ? nil : values
  }

  /// The run of an example, measured as `begun` says; its requests keep the header fields that the exercise's checks look at.
  public init?(
    _ result: ExampleResult, deciding checks: [String] = [], on exercise: Exercise, _ begun: RunReport
  ) {
    var report = begun
    let fields = exercise.manifest.checks.compactMap { ($0.rule as? any FieldCheck)?.field.lowercased() }
    let whole = result.drawable(keeping: Set(fields))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for grain in Self.grains {
      let example = whole.thinned(to: grain)
      report.lessons = [LessonResult(id: exercise.id, title: "", examples: [example], claims: [])]
      guard let data = try? encoder.encode(report) else { return nil }
      guard data.count <= Self.limit else { continue }
      let isCut = example.amounts != result.amounts
      self.init(checks: checks, isCut: isCut, report: String(decoding: data, as: UTF8.self))
      return
    }
    return nil
  }

  /// The first of these runs that can be drawn.
  static func kept(
    _ runs: [(facts: RunFacts, checks: [String])], of exercise: Exercise, _ begun: RunReport?
  ) -> [MeasuredRun] {
    guard let begun else { return [] }
    return Array(runs.prefix(most).compactMap { MeasuredRun($0.facts, deciding: $0.checks, on: exercise, begun) })
  }
}
