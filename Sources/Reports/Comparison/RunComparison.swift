// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// What differs between two runs, beyond what differs from run to run anyway.
///
/// Times that differ by less than a quarter or 10 ms, memory that differs by less than a tenth or 512 KiB, and fewer than
/// three threads more or less are left out. An example that was repeated counts with its median figures.
public struct RunComparison: Codable, Sendable, Hashable {
  /// One figure or word that differs.
  public struct Change: Codable, Sendable, Hashable {
    /// What it is: `outcome`, `time`, `processor`, `growth`, `threads`, a callback's name, or `verdict`.
    public var what: String
    /// What the first run says.
    public var before: String
    /// What the second run says.
    public var after: String
    /// The second figure divided by the first one; nil where there are no figures, or the first one is 0.
    public var ratio: Double?
  }

  /// An example or a claim that changed.
  public struct Entry: Codable, Sendable, Hashable {
    /// The lesson, such as `lesson-05`.
    public var lesson: String
    /// The example's or the claim's id.
    public var id: String
    /// What changed, at least one thing.
    public var changes: [Change]
  }

  /// Circumstances that differ, so that the rest is to be read with care; empty for two runs of a kind.
  public var circumstances: [Change]
  /// Examples that changed, in the order of the second run.
  public var examples: [Entry]
  /// Claims whose verdict changed, in the order of the second run.
  public var claims: [Entry]
  /// Examples and claims that only the first run has, as `lesson-05 connection/delegate-main`.
  public var onlyBefore: [String]
  /// Examples and claims that only the second run has.
  public var onlyAfter: [String]
  /// How many examples both runs have.
  public var comparedExamples: Int
  /// How many claims both runs have.
  public var comparedClaims: Int

  /// Whether an example ended otherwise, or a claim has another verdict.
  public var hasOtherResults: Bool {
    !claims.isEmpty || examples.contains { $0.changes.contains { $0.what == Change.outcome } }
  }

  /// What the second run says where the first one says something else.
  public init(_ before: RunReport, _ after: RunReport) {
    circumstances = Change.list([
      Change("body", Figures.size(before.bodyBytes), Figures.size(after.bodyBytes)),
      Change("system", before.machine.system, after.machine.system),
      Change("processors", "\(before.machine.processors)", "\(after.machine.processors)"),
    ])
    let examples = Paired(Self.examples(of: before), Self.examples(of: after))
    let claims = Paired(Self.claims(of: before), Self.claims(of: after))
    self.examples = examples.entries { ComparedExample($0).changes(to: ComparedExample($1)) }
    self.claims = claims.entries { Change.list([Change("verdict", $0.verdict.rawValue, $1.verdict.rawValue)]) }
    onlyBefore = examples.onlyBefore + claims.onlyBefore
    onlyAfter = examples.onlyAfter + claims.onlyAfter
    comparedExamples = examples.count
    comparedClaims = claims.count
  }

  private static func examples(of report: RunReport) -> [Named<[ExampleResult]>] {
    report.lessons.flatMap { lesson in
      var order: [String] = []
      let runs = Dictionary(grouping: lesson.examples, by: \.id)
      for example in lesson.examples where !order.contains(example.id) { order.append(example.id) }
      return order.map { Named(lesson: lesson.id, id: $0, value: runs[$0] ?? []) }
    }
  }

  private static func claims(of report: RunReport) -> [Named<ClaimResult>] {
    report.lessons.flatMap { lesson in lesson.claims.map { Named(lesson: lesson.id, id: $0.id, value: $0) } }
  }
}

extension RunComparison.Change {
  static let outcome = "outcome"

  /// A change of words, or nil when there is none.
  init?(_ what: String, _ before: String, _ after: String) {
    guard before != after else { return nil }
    self.init(what: what, before: before, after: after, ratio: nil)
  }

  /// Those that are changes.
  static func list(_ changes: [RunComparison.Change?]) -> [RunComparison.Change] {
    changes.compactMap { $0 }
  }
}

/// Something that belongs to a lesson and has an id there.
private struct Named<Value> {
  var lesson: String
  var id: String
  var value: Value

  var name: String { "\(lesson) \(id)" }
}

/// What two runs have in common by name.
private struct Paired<Value> {
  private var both: [(Named<Value>, Value)] = []
  let onlyBefore: [String]
  let onlyAfter: [String]

  init(_ before: [Named<Value>], _ after: [Named<Value>]) {
    let known = Dictionary(before.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    let names = Set(after.map(\.name))
    both = after.compactMap { later in known[later.name].map { (later, $0) } }
    onlyBefore = before.map(\.name).filter { !names.contains($0) }
    onlyAfter = after.map(\.name).filter { known[$0] == nil }
  }

  var count: Int { both.count }

  func entries(_ changes: (Value, Value) -> [RunComparison.Change]) -> [RunComparison.Entry] {
    both.compactMap { later, earlier in
      let changes = changes(earlier, later.value)
      return changes.isEmpty ? nil : RunComparison.Entry(lesson: later.lesson, id: later.id, changes: changes)
    }
  }
}
