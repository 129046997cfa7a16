// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// What a drawing of one example shows, taken from the model and thinned to what a reader can tell apart. The page
/// carries it beside the drawing, so that pointing at a moment tells what was there.
struct TimelineData: Codable {
  /// A thread that had callbacks; 0 stands for those that have no lane of their own.
  struct Lane: Codable {
    var thread: Int
    var label: String
  }

  /// A kind of callback with where it came, by thread.
  struct Kind: Codable {
    var name: String
    var group: CallbackGroup
    var places: [String: String]
  }

  /// A transfer or a request.
  struct Span: Codable {
    var began: Double
    /// Nil where it never ended.
    var ended: Double?
    var label: String
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
  var baseline: Int
  var peak: Int
  var curve: [CurvePoint]

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
    loads = example.loads.prefix(Self.mostSpans).map { load in
      Span(
        began: Self.rounded(load.began), ended: load.ended.map(Self.rounded), label: say(EndWords.load(load)))
    }
    requests = example.requests.prefix(Self.mostSpans).map { request in
      let status = request.status.map { Phrase(verbatim: "\($0)") } ?? "no answer"
      return Span(
        began: Self.rounded(request.began), ended: request.ended.map(Self.rounded),
        label: "\(request.method) \(request.target) · \(say(status))")
    }
    baseline = example.memory.baseline
    peak = example.memory.peak
    curve = example.memory.curve.thinned(to: axis)
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
    places = Dictionary(grouping: callback.places) { "\($0.thread.id)" }.mapValues { places in
      say(places.map(PlaceWords.words).joined("; "))
    }
  }
}
