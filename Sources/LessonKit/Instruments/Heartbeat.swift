// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
import Glibc
import Synchronization

/// Asks the main run loop again and again for a sign of life and keeps the longest time it took to answer, less the time
/// in which the main thread could have answered but was not given a processor: a busy machine is not a blocked program.
///
/// The beat is a run-loop source in the common modes, so a loop in any of them answers; main code that blocks does not.
/// While one beat is unanswered no second one is sent.
final class Heartbeat: @unchecked Sendable {
  // Sendable: the atomics are; `source` is set once in `install`, before any other thread knows of this object.
  private let sent = Atomic<Int>(0)
  private let longest = Atomic<Int>(0)
  private let answers = Atomic<Int>(0)
  private let wakings = Atomic<Int>(0)
  private let gaps = GapKeeper()
  private var source: CFRunLoopSource?
  private let delayBefore = Atomic<Int>(0)
  private let switchesBefore = Atomic<Int>(0)
  // One for each of the two threads that ask; the main thread's id is the process's.
  private let (askedHere, askedOnMain) = (
    ProcFile("task/\(getpid())/schedstat"), ProcFile("task/\(getpid())/schedstat")
  )
  private let statusOfMain = ProcFile("task/\(getpid())/status")

  /// How many beats were answered since `reset`.
  var answered: Int { answers.load(ordering: .relaxed) }

  /// How often the beats woke the main thread since `reset`: for each that it answered as often as it slept until then, but
  /// twice at most, in the loop and at the loop's lock, which the beat may still hold. What it sleeps beside is its own.
  var wakeups: Int { wakings.load(ordering: .relaxed) }

  /// Adds the source to the main run loop. The loop keeps this object alive.
  func install() {
    var context = CFRunLoopSourceContext()
    context.info = Unmanaged.passRetained(self).toOpaque()
    context.perform = Self.makePerform()
    source = CFRunLoopSourceCreate(nil, 0, &context)
    CFRunLoopAddSource(CFRunLoopGetMain(), source, kCFRunLoopCommonModes)
  }

  /// Forgets what was measured so far.
  func reset() {
    sent.store(0, ordering: .relaxed)
    longest.store(0, ordering: .relaxed)
    answers.store(0, ordering: .relaxed)
    wakings.store(0, ordering: .relaxed)
    gaps.reset(at: Self.now())
  }

  /// The stretches of 20 ms and more that the main loop left a beat unanswered, one that is still open included; in
  /// seconds since `reset`. Call it when no beat is answered any more.
  func unanswered() -> [Circumstances.Stretch] {
    let open = sent.load(ordering: .relaxed)
    if open != 0 { gaps.note(open, Self.now()) }
    return gaps.stretches
  }

  /// Sends a beat unless one is on its way.
  func beat() {
    guard sent.load(ordering: .relaxed) == 0 else { return }
    delayBefore.store(askedHere.number(inField: 1), ordering: .relaxed)
    // The kernel counts a sleep when it begins, so that of a loop that waits is counted already.
    let asleep = CFRunLoopIsWaiting(CFRunLoopGetMain()) ? 1 : 0
    switchesBefore.store(
      statusOfMain.number(after: "\nvoluntary_ctxt_switches:") - asleep, ordering: .relaxed)
    let (idle, _) = sent.compareExchange(expected: 0, desired: Self.now(), ordering: .relaxed)
    guard idle, let source else { return }
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(CFRunLoopGetMain())
  }

  /// The longest time an answer took, in seconds, one that is still missing included (that one in full).
  func longestGap() -> Double {
    let open = sent.load(ordering: .relaxed)
    let missing = open == 0 ? 0 : Self.now() - open
    return Double(max(longest.load(ordering: .relaxed), missing)) / 1e9
  }

  private func answer() {
    let began = sent.exchange(0, ordering: .relaxed)
    guard began != 0 else { return }
    answers.add(1, ordering: .relaxed)
    let switches = ProcessUsage.ofThread().wakeups - switchesBefore.load(ordering: .relaxed)
    wakings.add(min(max(0, switches), 2), ordering: .relaxed)
    let delay = askedOnMain.number(inField: 1) - delayBefore.load(ordering: .relaxed)
    let now = Self.now()
    longest.max(now - began - delay, ordering: .relaxed)
    gaps.note(began + delay, now)
  }

  /// Made here because a closure written on the main actor would die on another thread.
  private static func makePerform() -> @convention(c) (UnsafeMutableRawPointer?) -> Void {
    { info in
      guard let info else { return }
      Unmanaged<Heartbeat>.fromOpaque(info).takeUnretainedValue().answer()
    }
  }

  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
