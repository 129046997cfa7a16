// SPDX-License-Identifier: Apache-2.0
import Timeline

/// Pitfalls that a single event shows.
struct ToldAtOnce: PitfallMachine {
  private static let largeBody: Int64 = 16 << 20
  private var statuses: [UInt64: Int] = [:]
  private var gathering: Set<UInt64> = []
  /// Loads whose delegate has the method for redirects and was asked. The first question to a class is told when it is
  /// answered, so this counts at a load's end.
  private var asked: Set<UInt64> = []
  /// The redirects that turned a POST into a GET.
  private var became: [UInt64: ProgramEvent] = [:]

  mutating func take(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    if case .step(let step) = event.kind { return take(step, event, found) }
    if case .leftOut(let name, _) = event.kind, Self.isAboutRedirects(name) { asked.remove(event.subject) }
    guard case .callback(let name, _) = event.kind else { return }
    switch event.payload {
    case .response where Self.isAboutRedirects(name): asked.insert(event.subject)
    case .bytes(let count) where count >= Self.largeBody && gathering.contains(event.subject):
      tell(.wholeBodyInMemory, event, .bytes(count), found)
    default: break
    }
  }

  private mutating func take(_ step: ProgramStep, _ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    switch step {
    case .made(let form, _, _, _) where form.gathers: gathering.insert(event.subject)
    case .answer(let facts): statuses[event.subject] = facts.status
    case .letGo:
      if let event = became.removeValue(forKey: event.subject) { tellBecame(event, found) }
      statuses[event.subject] = nil
      (_, _) = (gathering.remove(event.subject), asked.remove(event.subject))
    case .ignored(.queueAfterStart): tell(.queueAfterStart, event, .none, found)
    case .ignored(.scheduleAfterStart): tell(.scheduledAfterStart, event, .none, found)
    case .fileReturned(let fate): take(fate, event, found)
    case .streamCopied(let bytes): tell(.streamCopied, event, .bytes(bytes), found)
    case .configurationChangedLate: tell(.configurationTooLate, event, .none, found)
    case .redirected(let facts):
      if facts.changesOrigin, facts.carriesCredentials { tell(.credentialsToAnother, event, .none, found) }
      if facts.method == "POST", facts.newMethod == "GET" { became[event.subject] = event }
    case .challenged(let facts):
      if facts.repeatsRejected { tell(.sameCredential, event, .none, found) }
      if facts.isServerTrust, facts.hasCredential, !facts.trustHolds { tell(.anyCertificate, event, .none, found) }
    case .request(let facts) where facts.isInClear: tell(.passwordInClear, event, .none, found)
    default: break
    }
  }

  mutating func end(at instant: Int64, _ found: (PitfallFinding) -> Void) {
    for subject in became.keys.sorted() { became[subject].map { tellBecame($0, found) } }
    became = [:]
  }

  private func tellBecame(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    if !asked.contains(event.subject) { tell(.postBecameGet, event, .none, found) }
  }

  /// An error's page is no loss; who takes it for the file is mistaken.
  private func take(_ fate: FileFate, _ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    let status = statuses[event.subject] ?? 0
    switch fate {
    case .moved where status >= 400, .read where status >= 400: tell(.errorAsSuccess, event, .count(status), found)
    case .left where status < 400: tell(.fileLeft, event, .none, found)
    case .read: tell(.fileLeft, event, .none, grade: .look, found)
    default: break
    }
  }

  private static func isAboutRedirects(_ method: String) -> Bool {
    method.contains("willPerformHTTPRedirection") || method.contains("willSend")
  }

  private func tell(
    _ pitfall: Pitfall, _ event: ProgramEvent, _ figure: PitfallFinding.Figure, grade: Pitfall.Grade? = nil,
    _ found: (PitfallFinding) -> Void
  ) {
    found(
      PitfallFinding(
        pitfall, subject: event.subject, at: event.instant, thread: event.place.thread.number, figure: figure,
        grade: grade))
  }
}
