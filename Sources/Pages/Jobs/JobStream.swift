// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports

/// A job's events as a browser reads them (the HTML standard's server-sent events): each has an id of the job's number and
/// its own, so that a browser that lost the stream says where it was and gets the rest.
struct JobStream: Sendable {
  /// Where a browser is: the job's number and how many of its events it has.
  struct Place: Sendable, Hashable {
    var job: Int
    var events: Int

    init(job: Int, events: Int) {
      (self.job, self.events) = (job, events)
    }

    /// Reads `3.12`.
    init?(_ text: String) {
      let parts = text.split(separator: ".").map { Int($0) }
      guard parts.count == 2, let job = parts[0], let events = parts[1], job >= 0, events >= 0 else { return nil }
      self.init(job: job, events: events)
    }

    var text: String { "\(job).\(events)" }
  }

  private struct Told: Encodable {
    var words: String?
    var done: Int?
    var total: Int?
    var name: String?
    var side: String?
    var cells: [String]?
    var to: String?
  }

  private let board: JobBoard
  private let say: StringCatalogue

  init(_ board: JobBoard, _ say: StringCatalogue) {
    (self.board, self.say) = (board, say)
  }

  /// The events behind `place`, those to come, and where to go at the end.
  func events(behind place: Place) -> AsyncStream<String> {
    AsyncStream { continuation in
      let task = Task {
        var place = place
        continuation.yield("retry: 500\n\n")
        for await _ in board.changes() {
          guard let job = board.job, job.number == place.job else {
            continuation.yield(end(at: "/run", place))
            break
          }
          for event in job.events.dropFirst(place.events) {
            place.events += 1
            continuation.yield(text(of: event, place))
          }
          guard job.state == .running else {
            continuation.yield(end(at: Self.destination(of: job), place))
            break
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Where the outcome of a job is seen.
  static func destination(of job: JobBoard.Job) -> String {
    for event in job.events.reversed() {
      if case .stored(let id, _) = event { return "/runs/\(id)" }
      if case .checked(let report) = event { return "/exercises/\(report.exercise)" }
    }
    return "/run"
  }

  private func end(at path: String, _ place: Place) -> String { text("end", Told(to: path), place) }

  private func text(of event: JobEvent, _ place: Place) -> String {
    switch event {
    case .progress(let words, let done, let total):
      text("progress", Told(words: say(words), done: done, total: total), place)
    case .row(let row):
      text("row", Told(name: row.id, side: row.side.rawValue, cells: row.cells.map { say($0) }), place)
    case .stored, .checked, .compared, .failed: text("told", Told(), place)
    }
  }

  private func text(_ name: String, _ told: Told, _ place: Place) -> String {
    let encoder = JSONEncoder()
    // A browser that reconnects gets the same bytes again.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and numbers always encode, and JSON has no line break of its own.
    let data = (try? encoder.encode(told)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    return "id: \(place.text)\nevent: \(name)\ndata: \(data)\n\n"
  }
}
