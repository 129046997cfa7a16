// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One or two examples over one time axis: facts, drawing, and what the drawing summed up.
struct ExampleFigure {
  private static let mostRows = 40

  let lesson: String
  let number: Int
  let axis: TimeAxis
  let scale: MemoryDrawing.Scale
  let say: StringCatalogue
  let level: Int
  /// True if they are programs of other people's: their processor time, main loop and server are not measured.
  private let areForeign: Bool

  init(
    _ compared: [ExampleResult], in lesson: String, number: Int, scale: MemoryDrawing.Scale, say: StringCatalogue,
    level: Int, areForeign: Bool = false
  ) {
    self.areForeign = areForeign
    (self.lesson, self.number, self.scale, self.say, self.level) = (lesson, number, scale, say, level)
    axis = TimeAxis(compared)
  }

  /// Makes the values that the template `figure` shows.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold.
  func values(_ examples: [ExampleResult], labels: [String] = [], difference: Phrase = .empty) throws -> [String: Any] {
    [
      "level": level, "difference": say(difference),
      "examples": try examples.enumerated().map { index, example in
        var shown = try values(example, label: labels.indices.contains(index) ? labels[index] : "", index)
        shown["file"] = FileDrawing(example, beside: examples, say: say)?.html
        return shown
      },
    ]
  }

  private func values(_ example: ExampleResult, label: String, _ index: Int) throws -> [String: Any] {
    let data = TimelineData(example, axis: axis, say: say)
    let memory = MemoryDrawing(data, scale: scale, axis: axis, say: say)
    let drawing = TimelineDrawing(data, axis: axis, memory: memory, say: say)
    let anchor = Self.anchor(lesson, example, number, index)
    return [
      "anchor": anchor, "level": level, "id": label.isEmpty ? example.id : "\(label): \(example.id)",
      "side": example.side.rawValue,
      "title": say(example.title), "facts": facts(example),
      "svg": drawing.svg(label: say(areForeign ? Self.alternativeOfForeign(example) : Self.alternative(example))),
      "data": try Markup.json(data),
      "details": details(example),
      "more": say(
        example.printed.isEmpty ? "Callbacks and requests" : "Callbacks, requests, and what the program printed"),
    ]
  }

  // MARK: - Facts

  private func facts(_ example: ExampleResult) -> [[String: String]] {
    var facts: [(Phrase, Phrase)] = [("end", EndWords.job(example.outcome))]
    let product = ProductWords(example.product)
    if let product { facts.append(("product", product.sentence)) }
    if let pitfalls = example.pitfallWords { facts.append(("has", pitfalls)) }
    let isSpoilt = product?.fault != nil
    let (wall, cpu) = (Figures.time(example.time.wall), Figures.time(example.time.cpu))
    facts.append(("time", areForeign ? Phrase(verbatim: wall) : "\(wall), processor \(cpu)"))
    if example.memory.peak > 0 {
      let growth = example.memory.growth
      facts.append(("memory peak", Phrase(verbatim: Figures.growth(growth, of: scale.bodyBytes))))
      if !areForeign {
        facts.append(("main silent", Phrase(verbatim: Figures.time(example.mainThread.longestGap))))
      }
      facts.append(("threads", Phrase(verbatim: "\(example.threads.peak)")))
    }
    facts.append(("callbacks", Self.places(example)))
    if !areForeign { facts.append(("requests", Phrase(verbatim: "\(example.traffic.requests)"))) }
    if let touch = example.happenings.touch {
      let all = example.callbacks.filter(\.implemented).reduce(0) { $0 + $1.count }
      let figure: Phrase = example.hidesCallbacks ? "not observed" : "\(touch.callbacks) of all \(all)"
      facts.append(("callbacks during the touch", figure))
    }
    return facts.map { name, value in
      let style = isSpoilt && name == "product" ? "spoilt" : ""
      return ["name": say(name), "value": (style.isEmpty ? "" : "✗ ") + say(value), "style": style]
    }
  }

  /// The place of an example's figure on the page: the row of the figure and the place in it.
  static func anchor(_ lesson: String, _ example: ExampleResult, _ row: Int, _ index: Int) -> String {
    Markup.identifier(lesson, example.id, "\(row)", "\(index)")
  }

  static func places(_ example: ExampleResult) -> Phrase {
    example.hidesCallbacks
      ? "not observed" : PlaceWords.short(example.callbacks.filter(\.implemented).flatMap(\.places))
  }

  private static func alternativeOfForeign(_ example: ExampleResult) -> Phrase {
    let callbacks = example.callbacks.filter(\.implemented).reduce(0) { $0 + $1.count }
    return
      "Drawing of \(example.id): \(Phrase.count(callbacks, "callback")) on \(Self.places(example)) in \(Figures.time(example.time.wall)), memory +\(Figures.size(example.memory.growth))."
  }

  /// Describes the drawing for a reader who does not see it.
  static func alternative(_ example: ExampleResult) -> Phrase {
    guard !example.hidesCallbacks else {
      return
        "Drawing of \(example.id): callbacks not observed, \(Figures.time(example.time.wall)), memory +\(Figures.size(example.memory.growth)), main silent for \(Figures.time(example.mainThread.longestGap)) at most."
    }
    let callbacks = example.callbacks.filter(\.implemented).reduce(0) { $0 + $1.count }
    let head: Phrase =
      "Drawing of \(example.id): \(Phrase.count(callbacks, "callback")) on \(Self.places(example)) in \(Figures.time(example.time.wall)), memory +\(Figures.size(example.memory.growth)), main silent for \(Figures.time(example.mainThread.longestGap)) at most."
    guard let touch = example.happenings.touch else { return head }
    return "\(head) During the touch \(Phrase.count(touch.callbacks, "callback")) came."
  }

  // MARK: - Lists

  private func details(_ example: ExampleResult) -> [[String: Any]] {
    func rows(_ texts: [String]) -> [[String: Any]] { texts.map { ["text": $0] } }
    let lists: [(Phrase, [[String: Any]])] = [
      ("callbacks", rows(example.callbacks.map(words))),
      ("loads", rows(example.loads.count > 1 ? EndWords.loads(example.loads).map { say($0) } : [])),
      ("requests", requests(example.requests)),
      ("printed", rows(example.printed.map { ($0.instant.map { Figures.time($0) + "  " } ?? "") + $0.text })),
    ]
    return lists.filter { !$0.1.isEmpty }.map { title, rows in
      let rest = rows.count - Self.mostRows
      let shown = rows.prefix(Self.mostRows) + (rest > 0 ? [["text": say.say("and \(rest) more")]] : [])
      return ["title": say(title), "level": level + 1, "rows": Array(shown)] as [String: Any]
    }
  }

  /// The requests. Of those behind each other whose heads are the same, the first one has them to be opened; one whose heads
  /// came further above says where.
  private func requests(_ requests: [RequestSeen]) -> [[String: Any]] {
    let alike = RequestHeads.firstAlike(requests)
    var opened = 0
    return requests.enumerated().map { number, request in
      if let first = alike[number] {
        let same: Phrase = "the same fields as of the request at \(Figures.time(requests[first].began))"
        return ["text": words(request) + (first == opened ? "" : " · " + say(same))]
      }
      opened = number
      let lines = RequestHeads(request).lines(of: request, say).joined(separator: "\n")
      guard !lines.isEmpty else { return ["text": words(request)] }
      let below = alike[(number + 1)...].prefix { $0 == number }.count
      let name: Phrase = below == 0 ? "fields" : "fields, also of \(Phrase.count(below, "request")) below"
      return ["text": words(request), "heads": ["name": say(name), "lines": lines]]
    }
  }

  private func words(_ callback: CallbackCount) -> String {
    guard callback.implemented else {
      return "\(callback.count)× \(callback.title) · \(say("would have been called: not implemented" as Phrase))"
    }
    return "\(callback.count)× \(callback.title) · \(say(PlaceWords.phrases(callback.places).joined("; ")))"
  }

  private func words(_ request: RequestSeen) -> String {
    var parts: [Phrase] = [request.status.map { Phrase(verbatim: "\($0)") } ?? "no answer"]
    if request.bodyBytes > 0 { parts.append("\(Figures.size(request.bodyBytes)) received") }
    parts.append("\(Figures.size(request.bytesSent)) sent")
    parts.append("socket \(request.socket)")
    if let range = request.range { parts.append(Phrase(verbatim: range)) }
    return "\(Figures.time(request.began))  \(request.method) \(request.target) · \(say(parts.joined(" · ")))"
  }
}
