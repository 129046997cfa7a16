// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
import Foundation

/// The network thread of note N4: one for the whole program, with a run loop
/// that other threads hand their work to. The examples beside it use it.
///
/// Sendable: the loop is set once, before anybody can have the object.
final class NetworkThread: @unchecked Sendable {
  private var loop: CFRunLoop?

  /// Starts the thread and waits until its loop is there.
  ///
  /// The note keeps the loop alive with a port. Here it is a timer that never
  /// fires: any source will do, and a plain `Port` does not exist on Linux.
  init(hasPort: Bool, ended: @escaping @Sendable () -> Void = {}) {
    let isReady = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      loop = CFRunLoopGetCurrent()
      let port = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
      if hasPort { RunLoop.current.add(port, forMode: .default) }
      isReady.signal()
      RunLoop.current.run()
      ended()
    }
    isReady.wait()
  }

  /// Runs `work` on the thread, as `perform(_:on:with:waitUntilDone:)` does on
  /// Apple's systems. If the thread has gone, nobody ever runs it.
  func perform(_ work: @escaping @Sendable () -> Void) {
    guard let loop else { return }
    CFRunLoopPerformBlock(loop, kCFRunLoopDefaultMode, work)
    CFRunLoopWakeUp(loop)
  }
}
