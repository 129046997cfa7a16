// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports

/// A run: started, under way, done, and beside another one.
struct RunPages {
  private let site: SitePages
  private let reader: Reader
  private var say: StringCatalogue { reader.say }

  init(_ site: SitePages, _ reader: Reader) {
    (self.site, self.reader) = (site, reader)
  }

  // MARK: - Starting

  /// The sizes of a body that a form offers.
  static let sizes = [64 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20, 1 << 30]

  /// Starts what a form says: a lesson, an example of it, or all lessons.
  func start(_ form: [String: String]) throws -> WebAnswer {
    let isAll = form["all"] != nil
    let all = site.settings.lessons
    let chosen = isAll ? all : [try LessonCatalog(all).lesson(named: form["lesson"] ?? "")]
    let examples = isAll || (form["example"] ?? "").isEmpty ? [] : [form["example"] ?? ""]
    try LessonCatalog.checkExamples(examples, in: chosen)
    guard let size = Int(form["size"] ?? ""), (1...(1 << 40)).contains(size) else {
      return site.message(
        .badRequest, "That cannot be run", "Give a size from 1 B to 1 TiB, such as 10, 64KiB, 64MiB or 1GiB.", reader)
    }
    let answers = isAll ? 0 : chosen.first?.prediction?.answers.count ?? 0
    let answer = form["answer"].flatMap { Int($0) }.flatMap { (1...max(1, answers)).contains($0) ? $0 : nil }
    let order = RunOrder(
      lessons: chosen.map(\.id), examples: examples, bodyBytes: size, answer: isAll ? nil : answer,
      folder: site.runs.url.path)
    return start(.run(order))
  }

  /// Starts a job, or says which one runs.
  private func start(_ order: JobRequest) -> WebAnswer {
    site.board.start(order) ? WebAnswer(seeOther: "/run") : busy()
  }

  /// Says that something else runs.
  func busy() -> WebAnswer {
    let name = site.board.job?.order.name ?? .empty
    return site.message(
      .conflict, "Something else runs", "One thing runs at a time, and now it is \(name).", reader,
      link: ("/run", "Watch it, or stop it there"))
  }

  // MARK: - Under way

  /// Shows the job that runs now, or what became of it.
  func live() throws -> WebAnswer {
    guard let job = site.board.job else {
      return site.message(
        .ok, "Nothing has run", "Nothing has run since this server started. Choose a lesson.", reader,
        link: ("/", "Lessons"))
    }
    let place = JobStream.Place(job: job.number, events: job.events.count)
    let isRunning = job.state == .running
    // Without script the page asks again by itself.
    let head = isRunning ? "<noscript><meta http-equiv=\"refresh\" content=\"3\"></noscript>" : ""
    return try reader.page(
      title: say.say(isRunning ? "Running: \(job.order.name)" : "Run of \(job.order.name)"),
      content: reader.render("live", values(job, place)), head: head,
      script: isRunning ? LiveScript.text : "")
  }

  private func values(_ job: JobBoard.Job, _ place: JobStream.Place) -> [String: Any] {
    var values: [String: Any] = ["words": say(words(job))]
    if job.state == .running {
      let (done, total) = progress(job)
      values["from"] = place.text
      values["running"] = [
        "done": "\(done)", "total": "\(total)", "label": say("progress" as Phrase), "stop": say("Stop" as Phrase),
      ]
    } else if case let path = JobStream.destination(of: job), path != "/run" {
      values["next"] = ["path": path, "name": say("See what was measured" as Phrase)]
    } else if case .run(let order) = job.order {
      let (path, name): (String, Phrase) =
        order.lessons.count == 1
        ? ("/lessons/\(order.lessons[0])", "Back to the lesson") : ("/", "Back to the lessons")
      values["next"] = ["path": path, "name": say(name)]
    }
    if case .run(let order) = job.order {
      let lessons = site.settings.lessons.filter { order.lessons.contains($0.id) }
      let subject = lessons.count == 1 ? lessons[0].subject : nil
      values["table"] = [
        "label": say("What was measured" as Phrase), "columns": ExampleRow.columns(about: subject).map { say($0) },
        "rows": job.events.compactMap(row),
      ]
    }
    return values
  }

  private func row(_ event: JobEvent) -> [String: Any]? {
    guard case .row(let row) = event else { return nil }
    return ["name": row.id, "side": row.side.rawValue, "cells": row.cells.map { say($0) }]
  }

  private func words(_ job: JobBoard.Job) -> Phrase {
    switch job.state {
    case .finished: return "It has come to its end."
    case .stopped:
      return JobStream.destination(of: job) == "/run"
        ? "It was stopped before anything was measured." : "It was stopped; what was measured until then is kept."
    case .failed(let why): return why
    case .running:
      for event in job.events.reversed() {
        if case .progress(let words, _, _) = event { return words }
      }
      return "It begins."
    }
  }

  private func progress(_ job: JobBoard.Job) -> (done: Int, total: Int) {
    for event in job.events.reversed() {
      if case .progress(_, let done, let total) = event { return (done, total) }
    }
    return (0, 1)
  }

  /// The event stream of the job that runs. A browser that comes back says in a field what it had last.
  func events(_ request: WebRequest) -> WebAnswer {
    let last = request.fields["last-event-id"] ?? request.query["from"] ?? ""
    let place = JobStream.Place(last) ?? JobStream.Place(job: 0, events: 0)
    return WebAnswer(events: JobStream(site.board, say).events(behind: place))
  }

  // MARK: - Done

  /// The runs of this folder.
  func history() throws -> WebAnswer {
    let entries = site.runs.entries
    let columns: [Phrase] = ["run", "date", "before", "after"]
    let rows = entries.enumerated().map { index, entry in
      var row: [String: Any] = [
        "id": entry.id, "name": entry.name, "date": entry.date,
        "before": say.say("before: \(entry.id)"), "after": say.say("after: \(entry.id)"),
      ]
      if index == 0 { row["isAfter"] = true }
      if index == min(1, entries.count - 1) { row["isBefore"] = true }
      return row
    }
    let path = site.runs.url.path
    var values: [String: Any] = [
      "where": say.say(
        rows.isEmpty ? "No run is kept in \(path) yet." : "The runs that are kept in \(path), newest first.")
    ]
    if !rows.isEmpty {
      values["some"] = [
        "label": say("Runs" as Phrase), "columns": columns.map { say($0) }, "rows": rows,
        "compare": say("Compare two runs" as Phrase),
      ]
    }
    return try reader.page(title: say("Runs" as Phrase), content: reader.render("history", values))
  }

  /// The page that `run --html` writes.
  func report(_ id: String) throws -> WebAnswer {
    let report = try site.runs.report(id)
    let judged = site.board.judgement(on: id).map { "<p class=\"remark\" role=\"status\">\(reader.escaped($0))</p>" }
    let names: [(String, Phrase)] = [("trace", "Trace for Perfetto"), ("har", "HAR of the requests")]
    let formats = names.map { format, name in
      ["path": "/runs/\(id)/\(format)", "file": Self.name(id, format), "name": say(name)]
    }
    let setting = reader.setting(before: (judged ?? "") + reader.render("formats", ["formats": formats]))
    return WebAnswer(page: try HTMLReport(report, setting).text(), nonce: setting.nonce)
  }

  /// The files that a run can be had as.
  static let formats = ["trace", "har"]

  /// Gives the file that `run --trace` or `run --har` writes.
  func file(_ id: String, _ format: String) throws -> WebAnswer {
    let report = try site.runs.report(id)
    let text = try format == "har" ? HARReport(report).text() : TraceReport(report).text()
    var answer = WebAnswer(.ok, text, type: "application/json; charset=utf-8")
    answer.fields.append(("Content-Disposition", "attachment; filename=\"\(Self.name(id, format))\""))
    return answer
  }

  private static func name(_ id: String, _ format: String) -> String {
    format == "har" ? "\(id).har" : "\(id).trace.json"
  }

  /// The page that `diff --html` writes.
  func compared(_ query: [String: String]) throws -> WebAnswer {
    let (before, after) = (try site.runs.report(query["before"] ?? ""), try site.runs.report(query["after"] ?? ""))
    let setting = reader.setting()
    return WebAnswer(page: try ComparisonPage(before, after, setting).text(), nonce: setting.nonce)
  }
}
