// SPDX-License-Identifier: Apache-2.0
@unsafe @preconcurrency import CoreFoundation
import Foundation
import Locking
import Timeline

/// One pair of run loop and mode in which a connection is scheduled: its source sits there from the first moment to the
/// last.
///
/// A source can only be added to a CFRunLoop, and the toolchain's `RunLoop` hides its own. The calling thread's and the
/// main thread's are known. For a loop of a third thread a timer of that mode is added instead, which `RunLoop` takes
/// from any thread: like the source it keeps the loop alive and wakes it, and when it fires, which is in that mode and
/// on that thread, it puts the source in its own place. No callback is late for it, because the source could not have
/// fired earlier either. Rejected: reading the loop out of `RunLoop`'s stored property by reflection (its name may
/// change), and `RunLoop.perform(inModes:)` (it does not wake a sleeping loop).
final class RunLoopPlace: @unchecked Sendable {
  // Sendable: `runLoop` and `source` never change and are used only through calls of RunLoop and CFRunLoop that take
  // their own locks; the rest is behind `state`.

  private struct State {
    var loop: CFRunLoop?
    var thread: Int?
    var timer: Unchecked<Timer>?
    var isOver = false
  }

  let runLoop: RunLoop
  let mode: RunLoop.Mode
  private let source: CFRunLoopSource
  private let state = Locked(State())

  /// Adds `source` to the mode; for a third thread's loop as soon as that runs in it.
  init(_ source: CFRunLoopSource, in runLoop: RunLoop, _ mode: RunLoop.Mode) {
    self.runLoop = runLoop
    self.mode = mode
    self.source = source
    if runLoop === RunLoop.current {
      attach(to: CFRunLoopGetCurrent(), thread: ThreadNumber.current)
    } else if runLoop === RunLoop.main {
      attach(to: CFRunLoopGetMain(), thread: 1)
    } else {
      let timer = Timer(fire: Date(), interval: 0, repeats: false) { [weak self] _ in
        self?.attach(to: CFRunLoopGetCurrent(), thread: ThreadNumber.current)
      }
      let kept = Unchecked(timer)  // used again only to invalidate it, which any thread may do
      state.withLock { $0.timer = kept }
      runLoop.add(timer, forMode: mode)
    }
  }

  /// The place in words.
  var phrase: String {
    let thread = state.withLock { $0.thread }.map { "thread \($0)" } ?? "another thread's run loop"
    return "\(thread) in mode \(mode.rawValue)"
  }

  /// The loop's thread, 0 while it is not known, and what the loop does now.
  var loopSeen: LoopSeen {
    let (loop, thread) = state.withLock { (Unchecked($0.loop), $0.thread) }  // any thread may ask for the mode
    guard let loop = loop.value, let mode = CFRunLoopCopyCurrentMode(loop) else { return (thread ?? 0, .idle) }
    return (thread ?? 0, CFRunLoopContainsSource(loop, source, mode) ? .serving : .elsewhere)
  }

  /// Lets the loop notice that the source was signalled, or is gone.
  func wake() {
    let loop = state.withLock { Unchecked($0.loop) }  // CFRunLoopWakeUp may be called from any thread
    if let loop = loop.value { CFRunLoopWakeUp(loop) }
  }

  /// Takes the source away; a loop that waits with nothing else in the mode then ends its run.
  func detach() {
    let (loop, timer) = state.withLock { state in
      state.isOver = true
      defer { state.timer = nil }
      return (Unchecked(state.loop), state.timer)  // removing and waking may be done from any thread
    }
    timer?.value.invalidate()
    guard let loop = loop.value else { return }
    CFRunLoopRemoveSource(loop, source, cfMode)
    CFRunLoopWakeUp(loop)
  }

  private func attach(to loop: CFRunLoop, thread: Int) {
    let kept = Unchecked(loop)
    let adds = state.withLock { state in
      guard !state.isOver else { return false }
      state.loop = kept.value
      state.thread = thread
      state.timer = nil
      return true
    }
    guard adds else { return }
    CFRunLoopAddSource(loop, source, cfMode)
    // A `detach()` in between found no source to remove.
    if state.withLock({ $0.isOver }) { CFRunLoopRemoveSource(loop, source, cfMode) }
  }

  private var cfMode: CFString {
    switch mode {
    case .default: kCFRunLoopDefaultMode
    case .common: kCFRunLoopCommonModes
    default: unsafe CFStringCreateWithCString(nil, mode.rawValue, 0x0800_0100)  // UTF-8; its constant is not imported
    }
  }
}
