// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
public import Foundation
import Locking

/// The means that an example has to hand, as a person's program would: an address, a folder, and an application that runs until
/// it is told to quit.
public final class ExampleContext: Sendable {
  /// The address to load.
  public let url: URL
  /// An empty folder of the example's own, removed after the run.
  public let scratch: URL
  private let hasQuit = Locked(false)
  private let touch: Circumstances.Stretch?
  private let busy: Circumstances.Stretch?

  /// A context for `url`, with `scratch` to write to, in an application that a person touches meanwhile, or whose
  /// main thread has something else to do.
  public init(url: URL, scratch: URL, touch: Circumstances.Stretch? = nil, busy: Circumstances.Stretch? = nil) {
    self.url = url
    self.scratch = scratch
    self.touch = touch
    self.busy = busy
  }

  /// Another address of the same server, such as `/json`.
  public func url(_ path: String) -> URL { URL(string: path, relativeTo: url)?.absoluteURL ?? url }

  /// Runs the main run loop in the default mode until `quit` is called, as an application's main function does; while
  /// the person touches the screen, in the tracking mode. Call it on the main thread.
  public func runApplication() {
    if let touch {
      let began = Date()
      run(.default, until: began + touch.began)
      ProgramObserver.shared.touchBegan()
      run(.tracking, until: began + touch.began + Touch.settling)
      ProgramObserver.shared.touchSettled()
      run(.tracking, until: began + touch.ended)
      ProgramObserver.shared.touchEnded()
    }
    if let busy {
      run(.default, until: Date(timeIntervalSinceNow: busy.began))
      if !hasQuit.withLock({ $0 }) { Thread.sleep(forTimeInterval: busy.ended - busy.began) }
    }
    run(.default, until: .distantFuture)
  }

  private func run(_ mode: RunLoop.Mode, until end: Date) {
    while !hasQuit.withLock({ $0 }), end.timeIntervalSinceNow > 0 {
      _ = RunLoop.main.run(mode: mode, before: end)
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

extension RunLoop.Mode {
  /// The mode in which an application's main loop runs while a person touches the screen, under Apple's name. As there,
  /// it is one of the main loop's common modes.
  public static let tracking = RunLoop.Mode("UITrackingRunLoopMode")

  /// Makes the tracking mode one of the main loop's common modes; what is in those comes to it, too.
  static func prepareTracking() {
    let name = CFStringCreateWithCString(nil, tracking.rawValue, 0x0800_0100)  // UTF-8; its constant is not imported
    CFRunLoopAddCommonMode(CFRunLoopGetMain(), name)
  }
}
