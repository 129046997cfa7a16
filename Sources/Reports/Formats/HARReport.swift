// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// The requests of a run as an HTTP archive (HAR 1.2): a page for each column of each lesson, an entry for each request.
///
/// Entries are as the lesson server saw them: a request begins when its head is complete there, and ends when the server
/// is done with it. When the example started is not in the model; dates count from the run's start.
public struct HARReport {
  private let report: RunReport

  /// An archive of `report`.
  public init(_ report: RunReport) { self.report = report }

  /// The JSON, a line break at the end.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold.
  public func text() throws -> String {
    let groups = report.lessons.flatMap { lesson in
      Side.allCases.map { side in (lesson, side, lesson.examples.filter { $0.side == side }) }
    }.filter { !$0.2.isEmpty }
    let pages = groups.map { lesson, side, _ in
      HARPage(startedDateTime: date(0), id: "\(lesson.id)-\(side.rawValue)", title: "\(lesson.title): \(side.rawValue)")
    }
    let entries = groups.flatMap { lesson, side, examples in
      examples.flatMap { example in
        example.requests.map { request in
          HAREntry(
            request, of: example, page: "\(lesson.id)-\(side.rawValue)", started: date(request.began))
        }
      }
    }
    let archive = HARFile.Log(
      creator: .init(name: "workbench", version: report.version ?? ""), pages: pages, entries: entries,
      comment: "\(report.circumstances) · \(Self.times)")
    return try JSONReport.encoded(HARFile(log: archive))
  }

  /// The note for a reader of the dates and times.
  private static let times =
    "All times are the lesson server's. Each example's requests count from the run's start, so that examples, which ran one after another, lie over one another here."

  /// ISO 8601 with milliseconds, so many seconds after the run's start.
  private func date(_ seconds: Double) -> String {
    let start = (try? Date(report.started, strategy: .iso8601)) ?? Date(timeIntervalSince1970: 0)
    return start.addingTimeInterval(max(0, seconds)).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

/// The file's outermost object.
struct HARFile: Encodable {
  struct Log: Encodable {
    struct Creator: Encodable {
      var name: String
      var version: String
    }

    var version = "1.2"
    var creator: Creator
    var pages: [HARPage]
    var entries: [HAREntry]
    var comment: String
  }

  var log: Log
}

/// One column of a lesson.
struct HARPage: Encodable {
  struct Timings: Encodable {}

  var startedDateTime: String
  var id: String
  var title: String
  var pageTimings = Timings()
}
