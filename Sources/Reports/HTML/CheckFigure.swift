// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The measurement of a check that does not hold: the run of the program with what was wanted marked in it, and beside it the
/// same drawing of the lesson's good example, over one time axis and with one scale.
public struct CheckFigure {
  private static let mostRows = 12
  private static let curveHeight = 120
  private static let longestAddress = 40

  private let mark: FigureMark
  private let wanted: Phrase
  private let runs: [RunFigures.Run]
  private let shown: [ShownValue]
  private let say: StringCatalogue

  /// The drawing of `mark` in the run of the program, which showed these values, and in the good example's, where it is
  /// known; `wanted` says what the check wants.
  public init(
    _ mark: FigureMark, wanted: Phrase, in run: RunFigures.Run, showing shown: [ShownValue],
    beside good: RunFigures.Run?, _ say: StringCatalogue
  ) {
    (self.mark, self.wanted, self.shown, self.say) = (mark, wanted, shown, say)
    runs = [run] + (good.map { [$0] } ?? [])
  }

  /// The drawings as HTML.
  ///
  /// - Throws: a template's error, which no text causes.
  public func html() throws -> String {
    let axis = TimeAxis(runs.map(\.example))
    var allowed: (bytes: Int, atEnd: Bool)?
    if case .memory(let most, let atEnd) = mark { allowed = (most, atEnd) }
    var scale = MemoryDrawing.Scale(
      runs.map(\.example), bodyBytes: runs.map(\.report.bodyBytes).max() ?? 0, allowed: allowed?.bytes ?? 0)
    let figures = runs.enumerated().map { number, run in
      scale.bodyBytes = run.report.bodyBytes
      let example = number == 0 ? run.example.showing(shown, of: mark) : run.example
      let data = TimelineData(example, axis: axis, say: say)
      let memory = allowed.map {
        MemoryDrawing(data, scale: scale, axis: axis, say: say, height: Self.curveHeight, allowed: $0)
      }
      let marks = CheckMarks(mark, wanted: wanted, in: example, showing: number == 0 ? shown : nil, say: say)
      let drawing = TimelineDrawing(data, axis: axis, memory: memory, say: say, marks: marks)
      var values: [String: Any] = [
        "role": number == 0 ? "own" : "good", "words": say(run.words),
        "circumstances": say(run.report.circumstances),
        "svg": drawing.svg(label: say(ExampleFigure.alternative(run.example))),
      ]
      values["table"] = table(run.example.requests, isChecked: number == 0)
      return values
    }
    return try PageTemplates().render("checked", ["figures": figures])
  }

  // MARK: - Requests

  /// The requests one by one with what was wanted of each; those of the good example with what they had.
  private func table(_ requests: [RequestSeen], isChecked: Bool) -> [String: Any]? {
    guard case .requests(let column, let verdicts, let missing) = mark else { return nil }
    let isCompared = isChecked && verdicts.contains { $0.wanted != nil }
    let shown = Self.shown(isChecked ? verdicts.map(\.holds) : requests.map { _ in nil }, of: requests.count)
    var rows = shown.map { index in
      let verdict = isChecked && verdicts.indices.contains(index) ? verdicts[index] : nil
      let request = requests[index]
      let sign = verdict?.holds.map { $0 ? "✓" : "✗" } ?? ""
      let cells = [Self.line(of: request), words(request, column)]
      return row(sign, cells + (isCompared ? [verdict?.wanted ?? ""] : []))
    }
    if requests.count > shown.count { rows.append(row("", [say.say("and \(requests.count - shown.count) more")])) }
    if isChecked, missing > 0 {
      rows.append(row("✗", [say.say("\(Phrase.count(missing, "request")) more wanted")]))
    }
    if rows.isEmpty { rows.append(row("", [say("no request" as Phrase)])) }
    let columns: [Phrase] = ["", "request", title(column)] + (isCompared ? ["wanted"] : [])
    return ["label": say("requests" as Phrase), "columns": columns.map { say($0) }, "rows": rows]
  }

  /// Method and address with the range that was asked for; of a long address the path.
  private static func line(of request: RequestSeen) -> String {
    let address = request.target.count <= longestAddress ? request.target : request.path + "?…"
    return [request.method, address, request.range ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func row(_ sign: String, _ cells: [String]) -> [String: Any] {
    let row: [String: Any] = ["style": sign == "✗" ? "missed" : "", "sign": sign, "cells": cells]
    return row.compact
  }

  /// The first requests and, beyond those, the first that do not hold.
  private static func shown(_ holds: [Bool?], of count: Int) -> [Int] {
    guard count > mostRows else { return Array(0..<count) }
    let first = Array(0..<(mostRows / 2))
    let missed = holds.indices.filter { $0 >= mostRows / 2 && $0 < count && holds[$0] == false }
    let rest = missed.isEmpty ? Array((mostRows / 2)..<mostRows) : Array(missed.prefix(mostRows / 2))
    return first + rest
  }

  private func title(_ column: FigureMark.RequestColumn) -> Phrase {
    switch column {
    case .status: "answer"
    case .sent: "bytes sent"
    case .received: "bytes received"
    case .socket: "connection"
    case .duration: "time"
    case .field(let name): Phrase(verbatim: name)
    }
  }

  private func words(_ request: RequestSeen, _ column: FigureMark.RequestColumn) -> String {
    switch column {
    case .status: request.status.map { "\($0)" } ?? say("no answer" as Phrase)
    case .sent: Figures.size(request.bytesSent)
    case .received: "\(request.bodyBytes)"
    case .socket: "\(request.socket)"
    case .duration: request.ended.map { Figures.time(max(0, $0 - request.began)) } ?? say("no end" as Phrase)
    case .field(let name): request.fields[name] ?? "–"
    }
  }
}

extension ExampleResult {
  /// The run with what the program showed of this kind as a kind of callback, for a drawing alone.
  fileprivate func showing(_ values: [ShownValue], of mark: FigureMark) -> ExampleResult {
    guard case .shown(let kind, _) = mark, case let own = values.filter({ $0.kind == kind }), let first = own.first,
      let last = own.last
    else { return self }
    var example = self
    let places = Dictionary(grouping: own) { PlaceCount(thread: $0.thread, runLoopMode: $0.runLoopMode, count: 0) }
      .map { place, values in
        PlaceCount(thread: place.thread, runLoopMode: place.runLoopMode, count: values.count)
      }
    let name = kind == .progress ? CallbackGroup.progress : kind == .label ? "app.label" : "app.result(_:)"
    example.callbacks.append(
      CallbackCount(name: name, count: own.count, first: first.instant, last: last.instant, places: places))
    example.ticks += own.map {
      CallbackTick(instant: $0.instant, callback: example.callbacks.count - 1, thread: $0.thread.id)
    }
    return example
  }
}
