// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One example's result as a block of lines: what the lesson is about, or everything.
struct ExampleBlock {
  /// The settings that a block is drawn by.
  struct Setting {
    /// S, in bytes.
    var bodyBytes: Int
    /// Bytes above the baseline at which a memory curve is full; one for all examples of a lesson.
    var height: Int
    /// Seconds at the end of the time axis; one for all examples that are compared.
    var time: Double
    /// The details that are shown.
    var shows: Set<LessonDetail>
    /// True if lists are shown whole.
    var isWhole: Bool
    /// The block's width.
    var columns: Int
    var style: TextStyle
  }

  private let result: ExampleResult
  private let setting: Setting
  private var style: TextStyle { setting.style }

  init(_ result: ExampleResult, _ setting: Setting) {
    self.result = result
    self.setting = setting
  }

  /// The block's lines, each at most as wide as the column.
  var lines: [String] {
    let role = Paint.Role(result.side)
    let title = result.title.isEmpty ? "" : "  " + style.catalogue(result.title)
    let head = TextLayout.wrap(result.id + title, setting.columns, indent: 2)
    let labels = ["callbacks", "requests", "main loop", "timeline", "product"].map { style.say(Phrase(key: $0)) }
    let width = (labels.map(TextLayout.width).max() ?? 9) + 3
    var rows = LabelledRows(labelWidth: width, columns: setting.columns, paint: style.paint)
    addEnd(to: &rows)
    if setting.isWhole { addCosts(to: &rows) }
    addDetails(to: &rows)
    return head.enumerated().map { $0.offset == 0 ? style.paint($0.element, role) : $0.element } + rows.lines
  }

  // MARK: - Rows

  private func addEnd(to rows: inout LabelledRows) {
    rows.add(label("end"), style.say(EndWords.job(result.outcome)), EndRole.of(result.outcome))
    if let product = result.product, let words = ProductWords(product) {
      rows.add(label("product"), style.say(words.sentence), product.comparison == .equal ? nil : .doubtful)
    }
    if let pitfalls = result.pitfallWords { rows.add(label("has"), style.say(pitfalls), .doubtful) }
    if result.loads.count > 1, setting.isWhole || setting.shows.contains(.loads) {
      let ends = EndWords.loads(result.loads)
      rows.add(
        label("loads"),
        ends.prefix(8).flatMap { TextLayout.wrap(style.say($0), rows.room, indent: 2) }
          + (ends.count > 8 ? [style.say("and \(ends.count - 8) more")] : []))
    }
  }

  private func addCosts(to rows: inout LabelledRows) {
    let time: Phrase =
      "\(Figures.time(result.time.wall)) · processor \(Figures.time(result.time.cpu)) · \(Phrase.count(result.time.wakeups, "wake-up"))"
    rows.add(label("time"), style.say(time), .faint)
    rows.add(
      label("main loop"),
      style.say("longest time without an answer \(Figures.time(result.mainThread.longestGap))"))
    let traffic = result.traffic
    let requests = Phrase.count(traffic.requests, "request")
    // A handshake that fails leaves no request, and so no socket that the log could count.
    rows.add(
      label("traffic"),
      style.say(
        traffic.requests == 0
          ? requests
          : "\(requests) · \(Phrase.count(traffic.sockets, "socket")) · the server sent \(Figures.size(traffic.bytesSent)), received \(Figures.size(traffic.bytesReceived)) of body"
      ))
  }

  private func addDetails(to rows: inout LabelledRows) {
    if shows(.memory) { rows.add(label("memory"), style.say(memory)) }
    if shows(.threads) { rows.add(label("threads"), style.say(threads)) }
    if shows(.timeline) {
      rows.add(
        label("timeline"),
        TimelineRows(result, height: setting.height, time: setting.time, room: rows.room, style: style).lines)
    }
    if shows(.callbacks) {
      rows.add(
        label("callbacks"),
        result.isMeasured && result.hidesCallbacks
          ? [style.say("not observed")]
          : result.isMeasured
            ? CallbackRows(result.callbacks, columns: rows.room, style: style).lines : [style.say("not measured")])
    }
    if shows(.requests) {
      rows.add(
        label("requests"),
        RequestRows(result.requests, isWhole: setting.isWhole, style: style, columns: rows.room).lines)
    }
    if shows(.printed) {
      rows.add(
        label("printed"),
        PrintedRows(result.printed, isWhole: setting.isWhole, style: style, columns: rows.room).lines)
    }
  }

  private func shows(_ detail: LessonDetail) -> Bool { setting.isWhole || setting.shows.contains(detail) }

  private func label(_ text: Phrase) -> String { style.say(text) }

  private var memory: Phrase {
    let memory = result.memory
    guard result.isMeasured else { return "not measured" }
    let growth = Figures.growth(memory.growth, of: setting.bodyBytes)
    return "\(Figures.size(memory.baseline)) before · \(Figures.size(memory.peak)) at most · \(growth)"
  }

  private var threads: Phrase {
    let threads = result.threads
    guard result.isMeasured else { return "not measured" }
    return
      "\(threads.before) before · \(threads.peak) at most · \(threads.after) after, without the library's and the instruments'"
  }
}

extension ExampleResult {
  /// True if its process lived to tell what it measured.
  var isMeasured: Bool { memory.peak > 0 }
}

/// The colour of an end.
enum EndRole {
  static func of(_ outcome: Outcome) -> Paint.Role? {
    switch outcome.kind {
    case .finished: nil
    case .failed, .cancelled, .noEnd: .doubtful
    case .timedOut, .crashed, .notCompiled: .bad
    }
  }
}
