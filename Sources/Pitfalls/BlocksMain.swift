// SPDX-License-Identifier: Apache-2.0
import Timeline

/// A synchronous request of 0.1 s and more on the main thread. Where main had served no run loop and no queue before, it is
/// said at the end alone, with the grade `look`: nothing may have waited.
struct BlocksMain: PitfallMachine {
  private static let limit: Int64 = 100_000_000
  private var began: [UInt64: Int64] = [:]
  private var mainServes = false
  /// The longest request on a main thread that had not served yet.
  private var longest: (finding: PitfallFinding, length: Int64)?

  mutating func take(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    let thread = event.place.thread
    if case .step(.mainServes) = event.kind { mainServes = true }
    guard thread.isMain else { return }
    // The main queue of a program that called dispatchMain() has another thread than the first one.
    if event.place.runLoopMode != nil || thread.number != 1 { mainServes = true }
    switch event.kind {
    case .step(.made(.synchronous, _, _, _)): began[event.subject] = event.instant
    case .callback(_, "end"):
      guard let start = began.removeValue(forKey: event.subject), event.instant - start >= Self.limit else { return }
      let length = event.instant - start
      let finding = PitfallFinding(
        .blocksMain, subject: event.subject, at: start, thread: thread.number,
        figure: .seconds(Double(length) / 1e9))
      if mainServes { return found(finding) }
      if length > longest?.length ?? 0 { longest = (finding, length) }
    default: break
    }
  }

  mutating func lose() { began = [:] }

  mutating func end(at instant: Int64, _ found: (PitfallFinding) -> Void) {
    guard var finding = longest?.finding else { return }
    finding.grade = .look
    found(finding)
  }
}
