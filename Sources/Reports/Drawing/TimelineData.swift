// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The data that a drawing of one example shows, taken from the model and thinned to what a reader can tell apart. The
/// page carries it beside the drawing, so that pointing at a moment tells what was there.
struct TimelineData: Encodable {
  /// A thread that had callbacks; 0 stands for those that have no lane of their own.
  struct Lane: Encodable {
    var thread: Int
    var label: String
  }

  /// A kind of callback with where it came, by thread.
  struct Kind: Encodable {
    var name: String
    var group: CallbackGroup
    /// All places of a thread, which hold for the whole run.
    var places: [String: String]
    /// The place of a thread at any moment, where it was always the same or changed with the touch alone.
    var place: [String: String]
    /// The place of a thread during the touch, where the touch changed it.
    var touched: [String: String]

    private enum CodingKeys: CodingKey { case name, group, place, touched }
  }

  /// A transfer or a request. In JSON a transfer is `[began, ended, its end's label, number, connected, answered]`, without
  /// the last two where they are not known, a request `[began, ended, its name's label, null, answered, its status' label]`.
  struct Span: Encodable {
    var began: Double
    /// Nil where it never ended.
    var ended: Double?
    /// An index into `labels`: many transfers of an example end alike.
    var label: Int
    var number: Int?
    /// When the first byte of the answer was sent, and an index into `labels` of what the answer says; nil for a transfer.
    var answer: (instant: Double?, label: Int)?
    /// When a transfer's connection was there, and when the head of its answer had come.
    var stages: (connected: Double?, answered: Double?)?
    /// When the first byte of the answer was there.
    var answered: Double? { answer?.instant ?? stages?.answered }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(began)
      try values.encode(ended)
      try values.encode(label)
      if number != nil || answer != nil { try values.encode(number) }
      if let stages {
        try values.encode(stages.connected)
        try values.encode(stages.answered)
      }
      guard let answer else { return }
      try values.encode(answer.instant)
      try values.encode(answer.label)
    }
  }

  /// The most threads with a lane of their own.
  private static let mostLanes = 8
  /// The most transfers, and the most requests, that are drawn.
  private static let mostSpans = 400

  var id: String
  var duration: Double
  var lanes: [Lane]
  var kinds: [Kind]
  var ticks: [CallbackTick]
  var gaps: [[Double]]
  var touch: [Double]?
  var stop: [Double]?
  var loads: [Span]
  var requests: [Span]
  /// The names of spans, each once.
  var labels: [String]
  var baseline: Int
  var peak: Int
  var curve: [CurvePoint]
  /// The bytes by time, as callbacks gave them and as the server sent them, for the drawing alone.
  var (flow, sent): (ByteFlow?, ByteFlow?)

  private enum CodingKeys: CodingKey {
    case id, duration, lanes, kinds, ticks, gaps, touch, stop, loads, requests, labels, baseline, peak, curve
  }

  init(_ example: ExampleResult, axis: TimeAxis, say: StringCatalogue) {
    id = example.id
    duration = Self.rounded(axis.duration)
    let known = Self.threads(of: example)
    let own = known.prefix(Self.mostLanes)
    lanes = own.map { Lane(thread: $0.id, label: say($0.main ? "main thread" : $0.words)) }
    if known.count > own.count {
      lanes.append(Lane(thread: 0, label: say.say("\(known.count - own.count) more threads")))
    }
    kinds = example.callbacks.map { Kind($0, say) }
    let numbers = Set(own.map(\.id))
    ticks = example.ticks.filter { example.callbacks.indices.contains($0.callback) }.map { tick in
      CallbackTick(
        instant: Self.rounded(tick.instant), callback: tick.callback,
        thread: numbers.contains(tick.thread) ? tick.thread : 0, count: tick.count)
    }.thinned(to: axis)
    gaps = example.mainThread.gaps.map(Self.pair)
    touch = example.happenings.touch.map { Self.pair($0.stretch) }
    stop = example.happenings.stop.map(Self.pair)
    var names = Labels()
    loads = example.loads.prefix(Self.mostSpans).map { load in
      Span(
        began: Self.rounded(load.began), ended: load.ended.map(Self.rounded),
        label: names.index(of: say(EndWords.end(load))), number: load.number,
        stages: load.connected == nil && load.answered == nil
          ? nil : (load.connected.map(Self.rounded), load.answered.map(Self.rounded)))
    }
    requests = example.requests.prefix(Self.mostSpans).map { request in
      let status = request.status.map { Phrase(verbatim: "\($0)") } ?? "no answer"
      let name = names.index(of: "\(request.method) \(request.target)")
      return Span(
        began: Self.rounded(request.began), ended: request.ended.map(Self.rounded), label: name,
        answer: (request.answered.map(Self.rounded), names.index(of: say(status))))
    }
    labels = names.all
    (flow, sent) = (example.flow, example.sent)
    baseline = example.memory.baseline
    peak = example.memory.peak
    curve = example.memory.curve.thinned(to: axis)
  }

  /// Labels in the order of their first use.
  private struct Labels {
    private(set) var all: [String] = []
    private var known: [String: Int] = [:]

    mutating func index(of label: String) -> Int {
      if let index = known[label] { return index }
      known[label] = all.count
      all.append(label)
      return all.count - 1
    }
  }

  /// Names the outcome of the span: the end of a transfer behind its number, the status of a request behind its name.
  func words(_ span: Span) -> String {
    (span.number.map { "\($0) " } ?? "") + labels[span.label] + (span.answer.map { " · " + labels[$0.label] } ?? "")
  }

  /// The main thread, then the others that had callbacks.
  private static func threads(of example: ExampleResult) -> [PlaceCount.ThreadID] {
    let called = example.callbacks.filter(\.implemented).flatMap(\.places).map(\.thread)
    let main = called.first(where: \.main) ?? PlaceCount.ThreadID(id: 1, name: "", main: true)
    let others = Dictionary(called.filter { !$0.main }.map { ($0.id, $0) }) { first, _ in first }
    return [main] + others.values.sorted { $0.id < $1.id }
  }

  private static func pair(_ stretch: Circumstances.Stretch) -> [Double] {
    [rounded(stretch.began), rounded(stretch.ended)]
  }

  /// Microseconds are enough for a drawing.
  static func rounded(_ instant: Double) -> Double { (instant * 1_000_000).rounded() / 1_000_000 }
}

extension TimelineData.Kind {
  init(_ callback: CallbackCount, _ say: StringCatalogue) {
    name = callback.title
    group = CallbackGroup(callback)
    let threads = Dictionary(grouping: callback.places) { "\($0.thread.id)" }
    places = threads.mapValues { say($0.map(PlaceWords.words).joined("; ")) }
    // Outside of the touch the application's loop runs in the default mode, during it in the tracking mode.
    touched = threads.compactMapValues { places in
      places.count == 2 ? places.first(where: \.isTracking).map { say(PlaceWords.words($0)) } : nil
    }
    place = threads.compactMapValues { places in
      if places.count == 2, places.contains(where: \.isTracking) {
        return places.first { !$0.isTracking }.map { say(PlaceWords.words($0)) }
      }
      return places.count == 1 ? places.first.map { say(PlaceWords.words($0)) } : nil
    }
  }
}

extension PlaceCount {
  fileprivate var isTracking: Bool { runLoopMode == "UITrackingRunLoopMode" }
}
