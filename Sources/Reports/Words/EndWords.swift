// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// How an example's job and its loads ended, and what it made, in words.
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

  /// What was made and what the comparison says.
  static func product(_ product: ProductResult) -> Phrase {
    let size = Figures.size(product.bytes)
    let thing: Phrase =
      switch product.kind {
      case .body where product.name.contains("–"): "bodies of loads \(product.name)"
      case .body: "body of load \(product.name)"
      case .file: "file “\(product.name)”"
      case .line: "printed “\(product.name)”"
      case .received: "body that the server received"
      }
    return switch (product.comparison, product.kind) {
    case (.equal, .line): thing
    case (.missing, .line): "never printed “\(product.name)”"
    case (.equal, _): "\(thing): \(size), byte for byte as expected"
    case (.missing, _): "\(thing): missing"
    case (.different, _) where product.bytes == product.expectedBytes: "\(thing): \(size), but other bytes"
    case (.different, _) where Figures.size(product.expectedBytes) == size:
      "\(thing): \(exactly(product.bytes)), expected \(exactly(product.expectedBytes))"
    case (.different, _): "\(thing): \(size), expected \(Figures.size(product.expectedBytes))"
    }
  }

  /// What is wrong with a product, in two or three words; nil where nothing is.
  static func spoilt(_ product: ProductResult?) -> Phrase? {
    guard let product else { return nil }
    return switch (product.comparison, product.kind) {
    case (.equal, _): nil
    case (.missing, .line): "line not printed"
    case (.missing, _): "nothing there"
    case (.different, _) where product.bytes < product.expectedBytes: "bytes missing"
    case (.different, _) where product.bytes > product.expectedBytes: "too many bytes"
    case (.different, _): "wrong bytes"
    }
  }

  /// A size to the byte, for two that differ by less than a rounded one shows.
  private static func exactly(_ bytes: Int) -> String { "\(bytes)\u{A0}B" }

  private static func words(_ error: Outcome.Failure) -> Phrase {
    error.name.isEmpty ? "\(error.domain) \(error.code)" : "\(error.name) (\(error.code))"
  }
}
