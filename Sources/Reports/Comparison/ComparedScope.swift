// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The obstacles to a comparison of two runs as a whole, a sentence for each.
struct ComparedScope {
  private let before: RunReport
  private let after: RunReport

  init(_ before: RunReport, _ after: RunReport) {
    self.before = before
    self.after = after
  }

  /// The sentences; none for two whole runs of the same examples.
  var sentences: [Phrase] {
    var all: [Phrase] = []
    if before.partial { all.append("The first run was interrupted; its report is partial.") }
    if after.partial { all.append("The second run was interrupted; its report is partial.") }
    if before.schema != after.schema {
      all.append("A report of version 1 says nothing of products, and judges the ends of cancelled loads otherwise.")
    }
    if before.bodyBytes != after.bodyBytes { all.append("The bodies have different sizes: amounts are not compared.") }
    let first = missing(from: after, in: before)
    if !first.isEmpty { all.append("Only the first run has \(first.joined(", ")).") }
    let second = missing(from: before, in: after)
    if !second.isEmpty { all.append("Only the second run has \(second.joined(", ")).") }
    return all
  }

  /// Lists the parts that `whole` has and `part` lacks: lessons, else columns of a lesson, else examples.
  private func missing(from part: RunReport, in whole: RunReport) -> [Phrase] {
    let known = Dictionary(part.lessons.map { ($0.id, $0) }) { first, _ in first }
    let lost = whole.lessons.filter { known[$0.id] == nil }.map(\.id)
    let others = whole.lessons.flatMap { lesson -> [Phrase] in
      known[lesson.id].map { missing(from: $0, in: lesson) } ?? []
    }
    return (lost.isEmpty ? [] : [Self.named(lost)]) + others
  }

  private func missing(from part: LessonResult, in whole: LessonResult) -> [Phrase] {
    let known = Set(part.examples.map(\.id))
    var phrases: [Phrase] = []
    for side in Side.allCases where whole.examples.contains(where: { $0.side == side }) {
      let examples = whole.examples.filter { $0.side == side }.map(\.id)
      let lost = examples.filter { !known.contains($0) }
      if lost.isEmpty { continue }
      if !part.examples.contains(where: { $0.side == side }) {
        phrases.append("the examples “\(side.rawValue)” of \(whole.id)")
      } else {
        phrases.append("\(Phrase.count(Set(lost).count, "example")) of \(whole.id) (\(Self.named(lost)))")
      }
    }
    return phrases
  }

  /// Up to three names, and how many more there are.
  private static func named(_ names: [String]) -> Phrase {
    let names = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let shown = Phrase(verbatim: names.prefix(3).joined(separator: ", "))
    return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
  }
}
