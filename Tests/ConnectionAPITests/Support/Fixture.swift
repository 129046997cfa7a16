// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Timeline

/// Sets a flag once, to be read from any thread.
final class Flag: Sendable {
  private let state = Locked(false)
  var isSet: Bool { state.withLock { $0 } }
  func set() { state.withLock { $0 = true } }
}

/// Carries something to another thread where the test knows that this is safe.
struct Carried<Value>: @unchecked Sendable {
  // Sendable: by the test that uses it.
  let value: Value
}

/// A thread whose run loop a test lends out: it runs the modes it is told until it is stopped.
final class LoopThread: Sendable {
  let number: Int
  let loop: Carried<RunLoop>  // RunLoop's scheduling calls take its lock
  private let mode: Locked<RunLoop.Mode?>
  private let stopped = Flag()
  private let gone = DispatchSemaphore(value: 0)

  /// A thread that runs its loop in `mode`, or only exists while `mode` is nil.
  init(_ initial: RunLoop.Mode?) {
    let (ready, mode, stopped, gone) = (DispatchSemaphore(value: 0), Locked(initial), stopped, gone)
    let made = Locked<(Int, Carried<RunLoop>)?>(nil)
    Thread.detachNewThread {
      let loop = Carried(value: RunLoop.current)
      made.withLock { $0 = (ThreadNumber.current, loop) }
      ready.signal()
      while !stopped.isSet {
        let turn = Date() + 0.01
        guard let mode = mode.withLock({ $0 }), RunLoop.current.run(mode: mode, before: turn) else {
          Thread.sleep(until: turn)
          continue
        }
      }
      gone.signal()
    }
    ready.wait()
    guard let (number, loop) = made.withLock({ $0 }) else { preconditionFailure("the thread said nothing") }
    (self.number, self.loop, self.mode) = (number, loop, mode)
  }

  func run(in new: RunLoop.Mode?) {
    mode.withLock { $0 = new }
  }

  /// Ends the thread and waits for it.
  func stop() {
    stopped.set()
    gone.wait()
  }
}

extension RecordingDelegate {
  /// Waits for the end; for threads whose loop need not run.
  func waitForEnd(_ seconds: Double = TestMachine.patience) -> Bool {
    guard ended.wait(timeout: .now() + seconds) == .success else { return false }
    ended.signal()
    return true
  }
}
