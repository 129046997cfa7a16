// SPDX-License-Identifier: Apache-2.0

/// Decides which of a lesson's examples run at the same time, and in which order their results are reported.
///
/// One job takes the schedule's order. Of several jobs those examples make use that need not measure alone: the longest of
/// them begins first, so that no job is left with it at the end. The report has the schedule's order, whichever example
/// ends first. The queue has no clock and starts nothing: the runner says what has ended.
struct RunQueue {
  /// One run of one example, with the number of its repetition.
  typealias Turn = (example: Example, repetition: Int)
  /// An example and what came of one run of it.
  typealias Ended = (example: Example, run: ExampleRun)

  private let turns: [Turn]
  private let jobs: Int
  private var unbegun: [Int]
  private var underWay: Set<Int> = []
  private var results: [Int: ExampleRun] = [:]
  /// The first turn whose result has not been reported.
  private var unreported = 0

  init(_ turns: [Turn], jobs: Int) {
    (self.turns, self.jobs) = (turns, jobs)
    unbegun = Array(turns.indices)
  }

  subscript(turn: Int) -> Turn { turns[turn] }

  /// The turns under way, in the schedule's order.
  var running: [Turn] { underWay.sorted().map { turns[$0] } }

  /// The runs that have ended, in the schedule's order.
  var runs: [ExampleRun] { turns.indices.compactMap { results[$0] } }

  /// The turn that begins now; nil where another has to end first, and when all have begun.
  mutating func next() -> Int? {
    guard let first = unbegun.first(where: mayBegin) else { return nil }
    let turn = jobs == 1 || turns[first].example.measuresAlone ? first : longest(from: first)
    unbegun.removeAll { $0 == turn }
    underWay.insert(turn)
    return turn
  }

  /// Of the turns that may begin beside others, the one that takes longest, as far as that is known.
  private func longest(from first: Int) -> Int {
    let others = unbegun.filter { mayBegin($0) && !turns[$0].example.measuresAlone }
    return others.reduce(first) { longest, turn in
      RunEstimate.expected(turns[turn].example) > RunEstimate.expected(turns[longest].example) ? turn : longest
    }
  }

  /// A turn has ended. Answers what is to be reported now.
  mutating func ended(_ turn: Int, with run: ExampleRun) -> [Ended] {
    underWay.remove(turn)
    results[turn] = run
    let first = unreported
    while results[unreported] != nil { unreported += 1 }
    return ended(in: first..<unreported)
  }

  /// The run breaks off. Answers what has ended and was kept back, for an example before it in the schedule is under way.
  mutating func brokeOff() -> [Ended] {
    defer { unreported = turns.endIndex }
    return ended(in: unreported..<turns.endIndex)
  }

  private func ended(in range: Range<Int>) -> [Ended] {
    range.compactMap { turn in results[turn].map { (turns[turn].example, $0) } }
  }

  private func mayBegin(_ turn: Int) -> Bool {
    guard hasTwinEnded(turn), underWay.count < jobs else { return false }
    return underWay.isEmpty || !([turn] + underWay).contains { turns[$0].example.measuresAlone }
  }

  /// An example of the toolchain's column gets its time limit from its twin's time.
  private func hasTwinEnded(_ turn: Int) -> Bool {
    guard let twin = turns[turn].example.substitute?.twin else { return true }
    return turns.indices.allSatisfy { turns[$0].example.id != twin || results[$0] != nil }
  }
}
