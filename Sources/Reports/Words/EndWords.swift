// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// How an example's job and its loads ended, in words.
enum EndWords {
  /// The job's end: kind, status, error, why.
  static func job(_ outcome: Outcome) -> Phrase {
    var parts = [outcome.kind.words]
    if outcome.status != 0 { parts.append("HTTP \(outcome.status)") }
    if let error = outcome.error { parts.append(words(error)) }
    if !outcome.why.isEmpty { parts.append(outcome.why) }
    return parts.joined(" · ")
  }

  /// The loads' ends, in their order; loads that follow each other and ended alike share one phrase.
  static func loads(_ loads: [LoadResult]) -> [Phrase] {
    var groups: [(first: Int, last: Int, end: Phrase)] = []
    for load in loads {
      let end = end(load)
      if groups.last?.end == end {
        groups[groups.count - 1].last = load.number
      } else {
        groups.append((load.number, load.number, end))
      }
    }
    return groups.map { group in
      group.first == group.last ? "\(group.first) \(group.end)" : "\(group.first)–\(group.last) each \(group.end)"
    }
  }

  /// One load's end, without its number.
  static func end(_ load: LoadResult) -> Phrase {
    var parts = [load.kind.words]
    if load.status != 0 { parts.append("HTTP \(load.status)") }
    if let error = load.error { parts.append(words(error)) }
    if load.bytes > 0 { parts.append(Phrase(verbatim: Figures.size(load.bytes))) }
    if load.isWhole == true { parts.append("whole") }
    return parts.joined(" · ")
  }

  private static func words(_ error: Outcome.Failure) -> Phrase {
    error.name.isEmpty ? "\(error.domain) \(error.code)" : "\(error.name) (\(error.code))"
  }
}
