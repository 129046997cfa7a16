// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
import Foundation

/// The network thread of note N4: one for the whole program, with a run loop
/// that other threads hand their work to.
///
/// Sendable: the loop is set once, before `shared` can be had.
final class NetworkThread: @unchecked Sendable {
  static let shared = NetworkThread()
  private var loop: CFRunLoop?

  /// Starts the thread and waits until its loop is there.
  ///
  /// The note keeps the loop alive with a Mach port, which Linux has not.
  /// A source that is never signalled does the same.
  private init() {
    let isReady = DispatchSemaphore(value: 0)
    // begin port
    Thread.detachNewThread { [self] in
      Thread.current.name = "network"
      var context = CFRunLoopSourceContext()
      let port = CFRunLoopSourceCreate(nil, 0, &context)
      loop = CFRunLoopGetCurrent()
      CFRunLoopAddSource(loop, port, kCFRunLoopDefaultMode)  // ←
      isReady.signal()
      RunLoop.current.run()
    }
    // end port
    isReady.wait()
  }

  /// Runs `work` on the thread, as `perform(_:on:with:waitUntilDone:modes:)`
  /// does on Apple's systems.
  func perform(_ work: @escaping @Sendable () -> Void) {
    guard let loop else { return }
    CFRunLoopPerformBlock(loop, kCFRunLoopCommonModes, work)
    CFRunLoopWakeUp(loop)
  }
}
