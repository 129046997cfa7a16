// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
public import Foundation
import Locking

/// What an example has to hand, as a person's program would: an address, a folder, and an application that runs until
/// it is told to quit.
public final class ExampleContext: Sendable {
  /// What to load.
  public let url: URL
  /// An empty folder of the example's own, removed after the run.
  public let scratch: URL
  private let hasQuit = Locked(false)

  /// A context for `url`, with `scratch` to write to.
  public init(url: URL, scratch: URL) {
    self.url = url
    self.scratch = scratch
  }

  /// Runs the main run loop in the default mode until `quit` is called, as an application's main function does. Call it
  /// on the main thread.
  public func runApplication() {
    while !hasQuit.withLock({ $0 }) {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
  }

  /// Ends `runApplication`, from any thread.
  public func quit() {
    hasQuit.withLock { $0 = true }
    // A stop sent before the loop runs is lost, but then the flag above keeps it from starting.
    CFRunLoopStop(CFRunLoopGetMain())
    CFRunLoopWakeUp(CFRunLoopGetMain())
  }
}
