// SPDX-License-Identifier: Apache-2.0
import Timeline

/// The end of a load for which the delegate has no method.
struct UnheardEnd: PitfallMachine {
  /// `URLError.cancelled`
  private static let cancelled = -999
  private var ends: [UInt64: ProgramEvent] = [:]
  private var heard: Set<UInt64> = []

  mutating func take(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    switch event.kind {
    case .callback:
      switch event.payload {
      case .success, .failure: ends[event.subject] = event
      case .bytes, .file: heard.insert(event.subject)
      default: break
      }
    case .step(.endedUnheard(let code)): tell(event, failure: code, found)
    case .leftOut(let name, let detail):
      guard let end = ends[event.subject], end.kind == .callback(name: name, detail: detail) else { return }
      if case .failure(_, let code) = end.payload {
        tell(end, failure: code, found)
      } else {
        tell(end, failure: nil, found)
      }
    case .step(.letGo): forget(event.subject)
    default: break
    }
  }

  private mutating func tell(_ end: ProgramEvent, failure: Int?, _ found: (PitfallFinding) -> Void) {
    defer { forget(end.subject) }
    let isTold = failure == nil ? !heard.contains(end.subject) : failure != Self.cancelled
    guard isTold else { return }
    found(
      PitfallFinding(
        failure == nil ? .endUnheard : .errorUnheard, subject: end.subject, at: end.instant,
        thread: end.place.thread.number))
  }

  private mutating func forget(_ subject: UInt64) {
    ends[subject] = nil
    heard.remove(subject)
  }
}
