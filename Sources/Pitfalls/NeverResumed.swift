// SPDX-License-Identifier: Apache-2.0
import Timeline

/// A load that was let go, or was there at the program's end, and waited for the program all that time: it was neither started
/// nor cancelled, or was suspended.
struct NeverResumed: PitfallMachine {
  private var waiting: [UInt64: PitfallFinding] = [:]

  mutating func take(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    switch event.kind {
    case .step(.made(.waitingConnection, _, _, _)): wait(.neverStarted, event)
    case .step(.made(let form, _, _, _)) where [.task, .handlerTask, .rawTask].contains(form):
      wait(.neverResumed, event)
    case .step(.suspended): wait(.suspendedToTheEnd, event)
    case .step(.started), .step(.resumed), .step(.cancelledUnstarted), .cancelled, .transfer(.ended):
      waiting[event.subject] = nil
    case .step(.letGo): if let finding = waiting.removeValue(forKey: event.subject) { found(finding) }
    default: break
    }
  }

  mutating func end(at instant: Int64, _ found: (PitfallFinding) -> Void) {
    for subject in waiting.keys.sorted() { waiting[subject].map(found) }
    waiting = [:]
  }

  private mutating func wait(_ pitfall: Pitfall, _ event: ProgramEvent) {
    waiting[event.subject] = PitfallFinding(
      pitfall, subject: event.subject, at: event.instant, thread: event.place.thread.number)
  }
}
