// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One example as a process of a trace.
struct TraceProcess {
  private let example: ExampleResult
  private let lesson: String
  private let pid: Int
  /// The library's thread, on which transfers lie. Thread numbers begin at 1 and stay below 9,999.
  private var library: Int { tid(0) }
  private var server: Int { tid(9_999) }
  private var main: Int { tid(1) }

  init(_ example: ExampleResult, of lesson: String, pid: Int) {
    (self.example, self.lesson, self.pid) = (example, lesson, pid)
  }

  /// All events: names first, the others by time.
  var events: [TraceEvent] {
    let timed = callbacks + loads + requests + memory + happenings + flows
    let order = timed.enumerated().sorted { ($0.element.ts, $0.offset) < ($1.element.ts, $1.offset) }
    return names
      + order.map { entry in
        var event = entry.element
        event.ts = ((event.ts + lead) * 1000).rounded() / 1000
        return event
      }
  }

  /// Microseconds by which the process starts later, so that no time is negative: a launch before the measured one may
  /// have made requests.
  private var lead: Double {
    TraceEvent.microseconds(max(0, -(example.requests.map(\.began).min() ?? 0)))
  }

  /// A thread's id: unique over all processes, for not all readers tell processes apart.
  private func tid(_ thread: Int) -> Int { pid * 10_000 + thread }

  // MARK: - Names

  private var names: [TraceEvent] {
    let places = example.callbacks.flatMap(\.places).map(\.thread).filter { !$0.main }
    let others = Dictionary(places.map { ($0.id, $0.words.description) }) { first, _ in first }
    var threads = [(main, "main thread")]
    threads += others.sorted { $0.key < $1.key }.map { (tid($0.key), $0.value) }
    threads += [(library, "library: transfers")]
    if !example.requests.isEmpty { threads.append((server, "server: requests")) }
    let unseen = example.hidesCallbacks ? " (callbacks not observed)" : ""
    return [name("process_name", "\(lesson) \(example.id)\(unseen)", main)]
      + threads.map { name("thread_name", $0.1, $0.0) }
  }

  private func name(_ kind: String, _ text: String, _ tid: Int) -> TraceEvent {
    var event = TraceEvent("M", kind, at: 0, pid: pid, tid: tid)
    event.args = ["name": .text(text)]
    return event
  }

  // MARK: - What happened

  private var callbacks: [TraceEvent] {
    example.ticks.filter { example.callbacks.indices.contains($0.callback) }.map { tick in
      let callback = example.callbacks[tick.callback]
      let place = callback.places.first { $0.thread.id == tick.thread }
      var event = TraceEvent("X", callback.title, at: tick.instant, pid: pid, tid: tid(tick.thread))
      event.dur = 0
      event.cat = "callback"
      return event.with([
        "count": .number(tick.count), "place": .text(place.map { PlaceWords.words($0).description } ?? ""),
      ])
    }
  }

  private var loads: [TraceEvent] {
    example.loads.flatMap { load in
      slice(
        "load \(load.number)", "load", load.number, library, load.began, load.ended,
        ["end": .text(load.kind.rawValue), "status": .number(load.status), "bytes": .number(load.bytes)])
    }
  }

  private var requests: [TraceEvent] {
    example.requests.enumerated().flatMap { index, request in
      slice(
        "\(request.method) \(request.target)", "request", index + 1, server, request.began, request.ended,
        [
          "status": .number(request.status ?? 0), "sent": .number(request.bytesSent),
          "received": .number(request.bodyBytes), "socket": .number(request.socket),
        ])
    }
  }

  /// An asynchronous slice; without its end where there was none.
  private func slice(
    _ name: String, _ category: String, _ number: Int, _ tid: Int, _ began: Double, _ ended: Double?,
    _ data: [String: TraceEvent.Argument]
  ) -> [TraceEvent] {
    var first = TraceEvent("b", name, at: began, pid: pid, tid: tid).with(data)
    first.cat = category
    first.id = "\(pid)-\(category)-\(number)"
    guard let ended else { return [first] }
    var last = TraceEvent("e", name, at: max(began, ended), pid: pid, tid: tid)
    (last.cat, last.id) = (first.cat, first.id)
    return [first, last]
  }

  private var memory: [TraceEvent] {
    example.memory.curve.map { point in
      var event = TraceEvent("C", "memory", at: point.instant, pid: pid, tid: main)
      event.args = ["bytes": .number(point.bytes)]
      return event
    }
  }

  /// Beginnings and ends of the main loop's silences, of the touch, and of the stop.
  private var happenings: [TraceEvent] {
    let gaps = example.mainThread.gaps.flatMap { instants("main silent", "main answers", $0, "t") }
    let touch = example.happenings.touch.map { instants("touch begins", "touch ends", $0.stretch, "p") } ?? []
    let stop = example.happenings.stop.map { instants("SIGSTOP", "SIGCONT", $0, "p") } ?? []
    return gaps + touch + stop
  }

  private func instants(
    _ first: String, _ second: String, _ stretch: Circumstances.Stretch, _ reach: String
  ) -> [TraceEvent] {
    [(first, stretch.began), (second, stretch.ended)].map { name, instant in
      var event = TraceEvent("i", name, at: instant, pid: pid, tid: main)
      event.s = reach
      return event
    }
  }

  // MARK: - Flows

  /// Arrows from the transfer to the first callback of each kind. Of several transfers the model does not say which one
  /// a callback belongs to, so there are none then.
  private var flows: [TraceEvent] {
    guard example.loads.count == 1, let load = example.loads.first else { return [] }
    var known: Set<Int> = []
    let first = example.ticks.filter { known.insert($0.callback).inserted && $0.instant >= load.began }
    guard !first.isEmpty else { return [] }
    var origin = TraceEvent("X", "transfer begins", at: load.began, pid: pid, tid: library)
    (origin.dur, origin.cat) = (0, "transfer")
    let arrows = first.flatMap { tick in
      let id = "\(pid)-flow-\(tick.callback)"
      var start = TraceEvent("s", "transfer", at: load.began, pid: pid, tid: library)
      (start.cat, start.id) = ("transfer", id)
      var end = TraceEvent("f", "transfer", at: tick.instant, pid: pid, tid: tid(tick.thread))
      (end.cat, end.id, end.bp) = ("transfer", id, "e")
      return [start, end]
    }
    return [origin] + arrows
  }
}
