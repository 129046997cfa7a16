// SPDX-License-Identifier: Apache-2.0
import Timeline

/// Ranges that the program asks for by itself: without a validator the parts may be of different versions.
struct Parts: PitfallMachine {
  private struct Asked {
    var url: String
    var start: Int64?
    var hasValidator: Bool
  }

  private var asked: [UInt64: Asked] = [:]
  /// The version of each address, by its first answer.
  private var versions = RecentValues<String, String>()
  /// How many parts of an address were asked for without a validator.
  private var unchecked = RecentValues<String, Int>()

  mutating func take(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    switch event.kind {
    case .step(.request(let facts)): asked[event.subject] = take(facts, event, found)
    case .step(.answer(let facts)): take(facts, event, found)
    case .step(.letGo): asked[event.subject] = nil
    default: break
    }
  }

  private mutating func take(
    _ facts: RequestFacts, _ event: ProgramEvent, _ found: (PitfallFinding) -> Void
  ) -> Asked {
    let asked = Asked(url: facts.url, start: facts.range.flatMap(Self.start), hasValidator: facts.ifRange != nil)
    guard facts.range != nil, !asked.hasValidator else { return asked }
    let count = (unchecked[facts.url] ?? 0) + 1
    unchecked.set(count, for: facts.url)
    if count == 2 { tell(.partsUnchecked, event, .count(count), found) }
    return asked
  }

  private mutating func take(_ facts: AnswerFacts, _ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    guard let asked = asked[event.subject], (200..<300).contains(facts.status) else { return }
    let known = versions[asked.url]
    if !facts.validator.isEmpty, known == nil { versions.set(facts.validator, for: asked.url) }
    guard let start = asked.start, start > 0, !asked.hasValidator else { return }
    let isOther = known != nil && !facts.validator.isEmpty && known != facts.validator
    let isElsewhere = facts.status != 206 || facts.contentRange.flatMap(Self.start) != start
    if isOther || isElsewhere { tell(.rangeUnchecked, event, .none, found) }
  }

  /// The first byte of a Range or a Content-Range (RFC 9110, 14.1.2 and 14.4).
  private static func start(_ value: String) -> Int64? {
    Int64(value.drop { !$0.isNumber }.prefix { $0.isNumber })
  }

  private func tell(
    _ pitfall: Pitfall, _ event: ProgramEvent, _ figure: PitfallFinding.Figure, _ found: (PitfallFinding) -> Void
  ) {
    found(
      PitfallFinding(
        pitfall, subject: event.subject, at: event.instant, thread: event.place.thread.number, figure: figure))
  }
}
