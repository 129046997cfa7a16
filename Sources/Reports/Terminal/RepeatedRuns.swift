// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// All runs of one example in a run that repeats its examples.
public struct RepeatedRuns: Sendable {
  /// How many they are.
  let count: Int
  /// Those with the commonest end, of several ends the one that came first, by their time.
  private let alike: [ExampleResult]

  /// The runs of an example, in the order in which they ended; nil where there is none.
  public init?(_ runs: [ExampleResult]) {
    let ends = Dictionary(grouping: runs, by: \.outcome.kind)
    let most = ends.values.map(\.count).max() ?? 0
    guard let kind = runs.first(where: { ends[$0.outcome.kind]?.count == most })?.outcome.kind else { return nil }
    count = runs.count
    alike = (ends[kind] ?? []).sorted { $0.time.wall < $1.time.wall }
  }

  /// How many runs had the commonest end. The figures are those of these runs.
  var sameEnd: Int { alike.count }

  /// The run whose time is the median: it stands for all where one is shown.
  var typical: ExampleResult { alike[alike.count / 2] }

  /// That run with the medians of all amounts.
  var median: ExampleResult {
    var median = typical
    median.memory.growth = Int(alike.map { Double($0.memory.growth) }.median)
    median.mainThread.longestGap = alike.map(\.mainThread.longestGap).median
    return median
  }

  /// The least and the most of an amount; empty where there is only one run, and for what is no amount.
  func range(of metric: Metric) -> String {
    guard alike.count > 1 else { return "" }
    switch metric {
    case .time: return Figures.range(alike.map(\.time.wall), Figures.time)
    case .peak: return Figures.range(alike.map(\.memory.growth), Figures.size)
    default: return ""
    }
  }
}

extension LessonResult {
  /// The runs of each example, in the order in which the examples ran first.
  var runs: [RepeatedRuns] {
    let groups = Dictionary(grouping: examples, by: \.id)
    var seen: Set<String> = []
    return examples.filter { seen.insert($0.id).inserted }.compactMap { RepeatedRuns(groups[$0.id] ?? []) }
  }

  /// This result with one run of each example, which stands for all of them, and each point of a claim as often as one run
  /// makes it. Points that do not hold stay, every one.
  var condensed: LessonResult {
    let runs = runs
    let most = runs.map(\.count).max() ?? 1
    var lesson = self
    lesson.examples = runs.map(\.typical)
    for index in lesson.claims.indices { lesson.claims[index].findings.condense(from: most) }
    for index in lesson.checks.indices { lesson.checks[index].findings.condense(from: most) }
    return lesson
  }
}

extension [Finding] {
  /// Keeps of points about the same with the same bound one of `runs`, and all that do not hold.
  fileprivate mutating func condense(from runs: Int) {
    func isAlike(_ first: Finding, _ second: Finding) -> Bool {
      first.what == second.what && first.bound == second.bound
    }
    let all = self
    self = all.indices.filter { index in
      let alike = all.count { isAlike($0, all[index]) }
      let before = all[..<index].count { isAlike($0, all[index]) }
      return !all[index].holds || before < Swift.max(1, alike / runs)
    }.map { all[$0] }
  }
}
