// SPDX-License-Identifier: Apache-2.0
import Timeline

/// Callbacks that wait: for a run loop in another mode, for one that never ran, for a busy main thread, for a thread that
/// waits itself, or behind a callback that takes long.
struct LateCallbacks: PitfallMachine {
  private static let late: Int64 = 250_000_000
  private static let long: Int64 = 500_000_000
  private static let hopeless: Int64 = 1_000_000_000
  private static let endless: Int64 = 10_000_000_000
  /// How many threads are remembered; then all are forgotten.
  private static let mostThreads = 4096

  private struct Wait {
    var since: Int64
    var destination: String
    /// The thread of the loop that is waited for; 0 for none, or while it is not known.
    var thread = 0
    /// How often the recorder looked at the loop, how often it did not run then, and how often in another mode.
    var looks = 0
    var idle = 0
    var elsewhere = 0
    /// Since when the thread has been seen to wait itself, look for look.
    var blockedSince: Int64?
    var isTold = false

    /// True if the recorder looked at it all the time. A process that was stopped meanwhile did not look either.
    func wasWatched(until instant: Int64) -> Bool { Int64(looks) * 200_000_000 >= instant - since }
  }

  private struct Running {
    var subject: UInt64
    var since: Int64
    var destination: String
  }

  private var waits: [UInt64: Wait] = [:]
  /// The callback that runs on each thread, of those that waited or run for long.
  private var running: [Int: Running] = [:]
  /// The last callback of each thread: a mailbox has another number than the loads that share it.
  private var callbacks: [Int: (subject: UInt64, instant: Int64)] = [:]
  /// Threads whose loop was seen to run.
  private var loops: Set<Int> = []

  mutating func take(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    if loops.count == Self.mostThreads { loops = [] }
    if event.place.runLoopMode != nil { loops.insert(event.place.thread.number) }
    switch event.kind {
    case .enqueued(let destination): waits[event.subject] = Wait(since: event.instant, destination: destination)
    case .waiting(let thread, let state):
      look(event.subject, thread, state)
      if state == .blocked { lookAtBlocked(event, thread, found) } else { waits[event.subject]?.blockedSince = nil }
    case .taken(let destination): taken(event, destination, found)
    case .callback:
      let thread = event.place.thread.number
      if callbacks.count == Self.mostThreads { callbacks = [:] }
      callbacks[thread] = (event.subject, event.instant)
    case .returned(let othersWaited): returned(event, othersWaited, found)
    case .step(.letGo), .cancelled: waits[event.subject] = nil
    default: break
    }
  }

  mutating func pass(to instant: Int64, _ found: (PitfallFinding) -> Void) {
    // A main thread may be busy for long before it runs its loop.
    for (subject, wait) in waits where instant - wait.since >= (wait.thread == 1 ? Self.endless : Self.hopeless) {
      tellHopeless(subject, wait, found)
    }
  }

  mutating func end(at instant: Int64, _ found: (PitfallFinding) -> Void) {
    for subject in waits.keys.sorted() {
      guard let wait = waits[subject] else { continue }
      tellBlocked(subject, wait, until: instant, atLeast: Self.hopeless, found)
      if !tellStarved(subject, wait, until: instant, found) { tellHopeless(subject, wait, found) }
    }
    waits = [:]
  }

  mutating func lose() { (waits, running, callbacks) = ([:], [:], [:]) }

  // MARK: - Waits

  private mutating func look(_ subject: UInt64, _ thread: Int, _ state: TimelineEvent.ThreadState) {
    guard var wait = waits[subject] else { return }
    wait.looks += 1
    wait.thread = thread
    switch state {
    case .idle, .blocked: wait.idle += 1
    case .elsewhere: wait.elsewhere += 1
    case .serving: break
    }
    if [.serving, .elsewhere].contains(state) { loops.insert(thread) }
    waits[subject] = wait
  }

  /// The thread that is waited for waits itself: main, or one whose callback has not returned. Others may be a pool's. Most such
  /// waits end, so it is told where this one has lasted very long, or is there at the end.
  private mutating func lookAtBlocked(_ event: ProgramEvent, _ thread: Int, _ found: (PitfallFinding) -> Void) {
    guard var wait = waits[event.subject], !wait.isTold, thread == 1 || running[thread] != nil else { return }
    wait.blockedSince = wait.blockedSince ?? event.instant
    waits[event.subject] = wait
    tellBlocked(event.subject, wait, until: event.instant, atLeast: Self.endless, found)
  }

  private mutating func tellBlocked(
    _ subject: UInt64, _ wait: Wait, until instant: Int64, atLeast length: Int64, _ found: (PitfallFinding) -> Void
  ) {
    guard !wait.isTold, let since = wait.blockedSince, instant - since >= length else { return }
    waits[subject]?.isTold = true
    tell(.waitsForItself, subject, wait, until: instant, thread: wait.thread, found)
  }

  private mutating func taken(_ event: ProgramEvent, _ destination: String, _ found: (PitfallFinding) -> Void) {
    let thread = event.place.thread.number
    if running.count == Self.mostThreads { running = [:] }
    running[thread] = Running(subject: event.subject, since: event.instant, destination: destination)
    guard let wait = waits.removeValue(forKey: event.subject), event.instant - wait.since >= Self.late else {
      return
    }
    if tellStarved(event.subject, wait, until: event.instant, found) { return }
    if event.place.thread.isMain, wait.wasWatched(until: event.instant) {
      tell(.lateOnMain, event.subject, wait, until: event.instant, thread: 1, found)
    }
  }

  /// True if the loop ran meanwhile, in other modes.
  private mutating func tellStarved(
    _ subject: UInt64, _ wait: Wait, until instant: Int64, _ found: (PitfallFinding) -> Void
  ) -> Bool {
    guard instant - wait.since >= Self.late, wait.looks > 1, wait.elsewhere * 2 > wait.looks else { return false }
    tell(.modeStarved, subject, wait, until: instant, thread: wait.thread, found)
    return true
  }

  private mutating func tellHopeless(_ subject: UInt64, _ wait: Wait, _ found: (PitfallFinding) -> Void) {
    guard !wait.isTold, wait.blockedSince == nil, wait.looks > 1, wait.looks == wait.idle, !loops.contains(wait.thread)
    else { return }
    waits[subject]?.isTold = true
    found(PitfallFinding(.noRunLoop, subject: subject, at: wait.since, thread: wait.thread))
  }

  private func tell(
    _ pitfall: Pitfall, _ subject: UInt64, _ wait: Wait, until instant: Int64, thread: Int,
    _ found: (PitfallFinding) -> Void
  ) {
    found(
      PitfallFinding(
        pitfall, subject: subject, at: wait.since, thread: thread,
        figure: .seconds(Double(instant - wait.since) / 1e9)))
  }

  // MARK: - Callbacks that take long

  private mutating func returned(
    _ event: ProgramEvent, _ othersWaited: Bool, _ found: (PitfallFinding) -> Void
  ) {
    let thread = event.place.thread.number
    guard let run = running.removeValue(forKey: thread) else { return }
    let length = event.instant - run.since
    guard length >= Self.long else { return }
    let others = waits.contains { $0.key != event.subject && $0.value.destination == run.destination }
    guard othersWaited || others else { return }
    let callback = callbacks[thread]
    let subject = callback.map { $0.instant >= run.since ? $0.subject : run.subject } ?? run.subject
    found(
      PitfallFinding(
        .slowCallback, subject: subject, at: run.since, thread: thread, figure: .seconds(Double(length) / 1e9)))
  }
}
