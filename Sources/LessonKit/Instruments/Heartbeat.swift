// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
import Glibc
import Synchronization

/// Asks the main run loop again and again for a sign of life and keeps the longest time it took to answer.
///
/// The beat is a run-loop source in the common modes, so a loop in any of them answers; main code that blocks does not.
/// While one beat is unanswered no second one is sent.
final class Heartbeat: @unchecked Sendable {
  // Sendable: the atomics are; `source` is set once in `install`, before any other thread knows of this object.
  private let sent = Atomic<Int>(0)
  private let longest = Atomic<Int>(0)
  private let answers = Atomic<Int>(0)
  private var source: CFRunLoopSource?

  /// How many beats were answered since `reset`.
  var answered: Int { answers.load(ordering: .relaxed) }

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
  }

  /// Sends a beat unless one is on its way.
  func beat() {
    let (idle, _) = sent.compareExchange(expected: 0, desired: Self.now(), ordering: .relaxed)
    guard idle, let source else { return }
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(CFRunLoopGetMain())
  }

  /// The longest time an answer took, in seconds, one that is still missing included.
  func longestGap() -> Double {
    let open = sent.load(ordering: .relaxed)
    let missing = open == 0 ? 0 : Self.now() - open
    return Double(max(longest.load(ordering: .relaxed), missing)) / 1e9
  }

  private func answer() {
    let began = sent.exchange(0, ordering: .relaxed)
    guard began != 0 else { return }
    answers.add(1, ordering: .relaxed)
    longest.max(Self.now() - began, ordering: .relaxed)
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
