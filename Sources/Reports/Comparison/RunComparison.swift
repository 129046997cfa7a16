// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The differences between two runs, beyond what differs from run to run anyway: those of kind apart from those of amount.
///
/// An example that was repeated counts with its commonest end and its median figures. `Noise` says which amounts count.
public struct RunComparison: Codable, Sendable, Hashable {
  /// One figure or word that differs.
  public struct Change: Codable, Sendable, Hashable {
    /// The name of the figure or word: `end`, `product`, a callback's name, `verdict`; `time`, `processor`, `growth`,
    /// `threads`, `requests`; `body`, `system`, `processors` or `version` of a circumstance.
    public var what: String
    /// The figure or word of the first run.
    public var before: Phrase
    /// The figure or word of the second run.
    public var after: Phrase
    /// The second figure divided by the first one; nil where there are no figures, or the first one is 0.
    public var ratio: Double?
  }

  /// An example or a claim that changed.
  public struct Entry: Codable, Sendable, Hashable {
    /// The lesson, such as `lesson-05`.
    public var lesson: String
    /// The example's or the claim's id.
    public var id: String
    /// The changes, at least one.
    public var changes: [Change]
  }

  /// Circumstances that differ, so that the rest is to be read with care; empty for two runs of a kind.
  public var circumstances: [Change]
  /// One sentence for each thing that keeps the two from being compared as a whole: a run that was interrupted, lessons,
  /// columns or examples that only one of them has, bodies of different sizes.
  public var remarks: [Phrase]
  /// Examples whose end, product or places differ, and claims and checks whose verdict does, in the order of the second
  /// run.
  public var kinds: [Entry]
  /// Examples whose figures differ, in the order of the second run.
  public var amounts: [Entry]
  /// How many examples both runs have.
  public var comparedExamples: Int
  /// How many claims and checks both runs have.
  public var comparedClaims: Int

  /// True if an example ended otherwise or made something else, or a claim has another verdict.
  public var hasOtherResults: Bool { kinds.contains { $0.changes.contains(where: \.isResult) } }

  /// Lists the figures and words of the second run where the first one has others.
  public init(_ before: RunReport, _ after: RunReport) {
    circumstances = Change.list([
      Change("version", before.schema, after.schema),
      Change("body", Figures.size(before.bodyBytes), Figures.size(after.bodyBytes)),
      Change("system", before.machine.system, after.machine.system),
      Change("processors", before.machine.processors, after.machine.processors),
    ])
    remarks = ComparedScope(before, after).sentences
    let examples = Paired(Self.examples(of: before), Self.examples(of: after))
    let claims = Paired(Self.claims(of: before), Self.claims(of: after))
    let ends = examples.entries { ComparedExample($0).kinds(to: ComparedExample($1)) }
    let verdicts = claims.entries { before, after in
      guard !before.tooSmall, !after.tooSmall else { return [] }
      return Change.list([Change(Change.verdict, VerdictWords.of(before.verdict), VerdictWords.of(after.verdict))])
    }
    kinds = after.lessons.map(\.id).flatMap { id in (ends + verdicts).filter { $0.lesson == id } }
    let isSameBody = before.bodyBytes == after.bodyBytes
    amounts = isSameBody ? examples.entries { ComparedExample($0).amounts(to: ComparedExample($1)) } : []
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
    report.lessons.flatMap { lesson in
      (lesson.claims + lesson.checks).map { Named(lesson: lesson.id, id: $0.id, value: $0) }
    }
  }
}

extension RunComparison.Change {
  static let end = "end"
  static let product = "product"
  static let verdict = "verdict"

  /// True if it is one of a result, and not of the way there.
  var isResult: Bool { [Self.end, Self.product, Self.verdict].contains(what) }

  /// A change of words, or nil when there is none.
  init?(_ what: String, _ before: Phrase, _ after: Phrase) {
    guard before != after else { return nil }
    self.init(what: what, before: before, after: after, ratio: nil)
  }

  /// The same with text that is the same in every language.
  init?(_ what: String, _ before: some CustomStringConvertible, _ after: some CustomStringConvertible) {
    self.init(what, Phrase(verbatim: before.description), Phrase(verbatim: after.description))
  }

  /// Those that are changes.
  static func list(_ changes: [RunComparison.Change?]) -> [RunComparison.Change] {
    changes.compactMap { $0 }
  }
}
