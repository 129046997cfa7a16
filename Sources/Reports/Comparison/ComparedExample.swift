// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One example over all its repetitions in a run.
struct ComparedExample {
  private let runs: [ExampleResult]

  init(_ runs: [ExampleResult]) {
    self.runs = runs
  }

  // MARK: - Kind

  /// Lists the differences of kind in the later run: the end, the product, the places of callbacks.
  func kinds(to later: ComparedExample) -> [RunComparison.Change] {
    let bothTell = tellsStatus && later.tellsStatus
    let end = RunComparison.Change(RunComparison.Change.end, end(bothTell), later.end(bothTell))
    var product: RunComparison.Change?
    if let before = self.product, let after = later.product {
      product = RunComparison.Change(RunComparison.Change.product, before, after)
    }
    return RunComparison.Change.list([end, product]) + places(to: later)
  }

  /// The commonest end, so that one run of many that came out otherwise is noise.
  private func end(_ withStatus: Bool) -> Phrase {
    commonest { run in
      var words = [run.outcome.kind.words]
      // Whether a response came before the load was cancelled says nothing of either run.
      if withStatus, run.outcome.status != 0, run.outcome.kind != .cancelled {
        words.append("HTTP \(run.outcome.status)")
      }
      if let error = run.outcome.error { words.append(Phrase(verbatim: error.words)) }
      return words.joined(", ")
    } ?? .empty
  }

  /// True if its finished runs tell a status. Reports of former builds tell none of handlers and downloads.
  private var tellsStatus: Bool { runs.allSatisfy { $0.outcome.status != 0 || $0.outcome.kind != .finished } }

  /// The result of the product's comparison; nil where a report says nothing of it, as those of version 1.
  private var product: Phrase? {
    commonest { run in
      switch run.product?.comparison {
      case .equal: "as it should be"
      case .different: "different from what it should be"
      case .missing: "missing"
      case nil: nil
      }
    }
  }

  /// Callbacks that came in places of another kind, or in one of the two runs alone.
  private func places(to later: ComparedExample) -> [RunComparison.Change] {
    let (before, after) = (callbacks, later.callbacks)
    let names = before.map(\.name) + after.map(\.name).filter { name in !before.contains { $0.name == name } }
    return names.compactMap { name in
      let first = before.first { $0.name == name } ?? CallbackPlaces(name)
      let second = after.first { $0.name == name } ?? CallbackPlaces(name)
      guard first.differs(from: second) else { return nil }
      return RunComparison.Change(name, first.words, second.words)
    }
  }

  private var callbacks: [CallbackPlaces] {
    var names: [String] = []
    for callback in runs.flatMap(\.callbacks) where !names.contains(callback.title) { names.append(callback.title) }
    return names.map { CallbackPlaces($0, in: runs) }
  }

  // MARK: - Amount

  /// Figures that differ in the later run beyond noise.
  func amounts(to later: ComparedExample) -> [RunComparison.Change] {
    RunComparison.Change.list([
      change("time", to: later, .time, Figures.time) { $0.time.wall },
      change("processor", to: later, .processor, Figures.time) { $0.time.cpu },
      change("growth", to: later, .growth, { Figures.size(Int($0)) }) { Double($0.memory.growth) },
      change("threads", to: later, .threads, { "\(Int($0))" }) { Double($0.threads.peak) },
      cancels || later.cancels
        ? nil : change("requests", to: later, .requests, { "\(Int($0))" }) { Double($0.traffic.requests) },
    ])
  }

  /// True if a load is cancelled: the request may have reached the server by then, or not.
  private var cancels: Bool { runs.contains { $0.loads.contains { $0.kind == .cancelled } } }

  private func change(
    _ what: String, to later: ComparedExample, _ noise: Noise, _ words: (Double) -> String,
    _ figure: (ExampleResult) -> Double
  ) -> RunComparison.Change? {
    let (before, after) = (runs.map(figure), later.runs.map(figure))
    guard noise.isExceeded(before, after) else { return nil }
    let (first, second) = (before.median, after.median)
    return RunComparison.Change(
      what: what, before: Phrase(verbatim: words(first)), after: Phrase(verbatim: words(second)),
      ratio: first > 0 ? second / first : nil)
  }

  /// Finds the words that most runs have; the first of two that are as frequent.
  private func commonest(_ words: (ExampleResult) -> Phrase?) -> Phrase? {
    let all = runs.compactMap(words)
    let most = all.map { phrase in all.count { $0 == phrase } }.max()
    return all.first { phrase in all.count { $0 == phrase } == most }
  }
}

extension CallbackCount {
  /// The name, with what tells methods of one name apart.
  var title: String { detail.isEmpty ? name : "\(name) \(detail)" }
}
