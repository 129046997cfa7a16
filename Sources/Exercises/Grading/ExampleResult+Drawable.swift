// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

extension ExampleResult {
  /// The most transfers, and the most requests, that are kept; a drawing has no more.
  private static let mostSpans = 400
  private static let mostCallbacks = 64
  private static let mostPlaces = 128
  /// The most threads that keep their numbers: twice the lanes of a drawing.
  private static let mostThreads = 16
  /// The most Unicode scalars of a name that the program chose.
  private static let longestText = 120

  /// The run with what a drawing shows of it. Header fields but these, checksums of bodies, printed lines and the folder of
  /// temporary files are left out, and names are cut.
  func drawable(keeping fields: Set<String> = []) -> ExampleResult {
    var example = self
    (example.title, example.product, example.printed) = ("", nil, [])
    (example.outcome.why, example.traffic.ranges) = (.empty, [])
    example.limit(spans: Self.mostSpans, callbacks: Self.mostCallbacks, places: Self.mostPlaces)
    example.round(keeping: fields)
    let folder = FileManager.default.temporaryDirectory.path + "/workbench-"
    example.changeTexts { text in
      let name = text.unicodeScalars.prefix(Self.longestText + folder.unicodeScalars.count)
      return String(String(name).replacing(folder, with: "workbench-").unicodeScalars.prefix(Self.longestText))
    }
    return example
  }

  /// The run with `grain` instants side by side, and no more of anything than belongs to so many.
  func thinned(to grain: Int) -> ExampleResult {
    var example = self
    example.limit(spans: 2 * grain, callbacks: grain, places: grain / 4)
    example.mainThread.gaps = Array(mainThread.gaps.prefix(grain))
    example.thin(to: grain)
    return example
  }

  /// How many of everything there are that a drawing shows one by one.
  var amounts: [Int] {
    [callbacks.count, loads.count, requests.count, mainThread.gaps.count] + callbacks.map(\.places.count)
  }

  private mutating func limit(spans: Int, callbacks: Int, places: Int) {
    (loads, requests) = (Array(loads.prefix(spans)), Array(requests.prefix(spans)))
    self.callbacks = Array(self.callbacks.prefix(callbacks))
    for index in self.callbacks.indices {
      self.callbacks[index].places = Array(self.callbacks[index].places.prefix(places))
    }
  }

  /// Changes every text that the program may have chosen.
  public mutating func changeTexts(_ change: (String) -> String) {
    for index in callbacks.indices {
      callbacks[index].name = change(callbacks[index].name)
      callbacks[index].detail = change(callbacks[index].detail)
      for place in callbacks[index].places.indices { callbacks[index].places[place].changeTexts(change) }
    }
    outcome.error?.changeTexts(change)
    for index in loads.indices { loads[index].error?.changeTexts(change) }
    for index in requests.indices {
      requests[index].method = change(requests[index].method)
      requests[index].target = change(requests[index].target)
      requests[index].range = requests[index].range.map(change)
      requests[index].fields = requests[index].fields.mapValues(change)
    }
  }

  /// Microseconds are enough for a drawing, which needs nothing of a request but its line, its times and its answer.
  private mutating func round(keeping fields: Set<String>) {
    for index in loads.indices {
      loads[index].began.round(to: 1e6)
      loads[index].ended?.round(to: 1e6)
    }
    for index in requests.indices {
      requests[index].began.round(to: 1e6)
      requests[index].ended?.round(to: 1e6)
      (requests[index].answered, requests[index].tls) = (nil, nil)
      requests[index].fields = requests[index].fields.filter { fields.contains($0.key) }
      (requests[index].version, requests[index].bodyChecksum) = ("", "")
      (requests[index].fieldLines, requests[index].answerLines) = (nil, nil)
    }
  }

  // MARK: - Ticks and curve

  /// Joins ticks of one kind and thread at one instant, and keeps the highest point of the memory at each.
  private mutating func thin(to grain: Int) {
    let end = max(time.wall, ticks.map(\.instant).max() ?? 0, memory.curve.last?.instant ?? 0, 1e-6)
    func place(_ instant: Double) -> Int { Int(min(max(instant / end, 0), 1) * Double(grain)) }
    let threads = Set(callbacks.flatMap(\.places).map(\.thread.id))
    let known = Set(threads.sorted().prefix(Self.mostThreads))
    var joined: [CallbackTick] = []
    var last: [[Int]: Int] = [:]
    for var tick in ticks.sorted(by: { $0.instant < $1.instant }) where callbacks.indices.contains(tick.callback) {
      if !known.contains(tick.thread) { tick.thread = 0 }
      let key = [tick.callback, tick.thread, place(tick.instant)]
      if let index = last[key] {
        joined[index].count += tick.count
      } else {
        last[key] = joined.count
        tick.instant.round(to: 1e6)
        joined.append(tick)
      }
    }
    ticks = joined
    var curve: [CurvePoint] = []
    for point in memory.curve {
      if let before = curve.last, place(before.instant) == place(point.instant) {
        if point.bytes > before.bytes { curve[curve.count - 1] = point }
      } else {
        curve.append(point)
      }
    }
    memory.curve = curve.map { CurvePoint(instant: $0.instant.rounded(to: 1e6), bytes: $0.bytes) }
  }
}

extension [ShownValue] {
  private static let most = 200
  private static let longestText = 40

  /// The first and the last of them, as many as a drawing shows, with texts that are cut.
  var drawable: [ShownValue] {
    let kept = count <= Self.most ? self : Array(prefix(Self.most / 2) + suffix(Self.most / 2))
    return kept.map { value in
      var value = value
      value.text = String(String.UnicodeScalarView(value.text.unicodeScalars.prefix(Self.longestText)))
      value.thread.name = String(String.UnicodeScalarView(value.thread.name.unicodeScalars.prefix(Self.longestText)))
      return value
    }
  }
}

extension PlaceCount {
  fileprivate mutating func changeTexts(_ change: (String) -> String) {
    thread.name = change(thread.name)
    queue = queue.map(change)
    runLoopMode = runLoopMode.map(change)
  }
}

extension Outcome.Failure {
  fileprivate mutating func changeTexts(_ change: (String) -> String) {
    (domain, name) = (change(domain), change(name))
  }
}

extension Double {
  /// The number in parts of one, so many of them, none of which is broken.
  fileprivate func rounded(to parts: Double) -> Double { (self * parts).rounded() / parts }
  fileprivate mutating func round(to parts: Double) { self = rounded(to: parts) }
}
