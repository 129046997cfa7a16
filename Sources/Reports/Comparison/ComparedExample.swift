// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The figures of one example, over all its repetitions in a run: medians, and the words of its worst end.
struct ComparedExample {
  private let outcome: String
  private let wall: Double
  private let processor: Double
  private let growth: Int
  private let threads: Int
  private let places: [(name: String, words: String)]

  init(_ runs: [ExampleResult]) {
    let worst = runs.first { $0.outcome.kind != .finished } ?? runs.first
    outcome = worst.map { Self.words($0.outcome) } ?? ""
    wall = Self.median(runs.map(\.time.wall))
    processor = Self.median(runs.map(\.time.cpu))
    growth = Self.median(runs.map(\.memory.growth))
    threads = Self.median(runs.map(\.threads.peak))
    places = (runs.first?.callbacks ?? []).map { callback in
      ([callback.name, callback.detail].filter { !$0.isEmpty }.joined(separator: " "), Self.words(callback.places))
    }
  }

  /// What differs in the later run.
  func changes(to later: ComparedExample) -> [RunComparison.Change] {
    let figures = [
      RunComparison.Change(RunComparison.Change.outcome, outcome, later.outcome),
      Self.change("time", wall, later.wall, least: 0.01, share: 0.25, Figures.time),
      Self.change("processor", processor, later.processor, least: 0.01, share: 0.25, Figures.time),
      Self.change("growth", Double(growth), Double(later.growth), least: 524_288, share: 0.1) { Figures.size(Int($0)) },
      Self.change("threads", Double(threads), Double(later.threads), least: 3, share: 0.25) { "\(Int($0)) at most" },
    ]
    return RunComparison.Change.list(figures) + callbackChanges(to: later)
  }

  /// Callbacks that came in another kind of place, that came only before, or came only later.
  private func callbackChanges(to later: ComparedExample) -> [RunComparison.Change] {
    let known = Dictionary(places.map { ($0.name, $0.words) }, uniquingKeysWith: { first, _ in first })
    let names = Set(later.places.map(\.name))
    let gone = places.filter { !names.contains($0.name) }
    return RunComparison.Change.list(
      later.places.map { RunComparison.Change($0.name, known[$0.name] ?? "never", $0.words) }
        + gone.map { RunComparison.Change($0.name, $0.words, "never") })
  }

  private static func change(
    _ what: String, _ before: Double, _ after: Double, least: Double, share: Double, _ words: (Double) -> String
  ) -> RunComparison.Change? {
    let difference = (after - before).magnitude
    guard difference >= least, difference >= share * min(before.magnitude, after.magnitude) else { return nil }
    return RunComparison.Change(
      what: what, before: words(before), after: words(after), ratio: before > 0 ? after / before : nil)
  }

  private static func words(_ outcome: Outcome) -> String {
    var words = [outcome.kind.rawValue]
    if outcome.status != 0 { words.append("HTTP \(outcome.status)") }
    if let error = outcome.error { words.append(error.name.isEmpty ? "\(error.domain) \(error.code)" : error.name) }
    if outcome.kind == .finished, outcome.bytes > 0 {
      words.append(outcome.checksumOK ? "checksum equal" : "checksum differs")
    }
    return words.joined(separator: " · ")
  }

  /// The kinds of places, without the numbers that threads have by chance.
  private static func words(_ places: [PlaceCount]) -> String {
    let kinds = places.map { place in
      var place = place
      if !place.thread.main { place.thread.id = 0 }
      return PlaceWords.words(place).replacing("thread 0", with: "a thread off main")
    }
    return Set(kinds).sorted().joined(separator: "; ")
  }

  private static func median<Figure: Comparable & ExpressibleByIntegerLiteral>(_ figures: [Figure]) -> Figure {
    figures.isEmpty ? 0 : figures.sorted()[figures.count / 2]
  }
}
