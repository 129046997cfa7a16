// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
import Foundation
import Synchronization

/// What the program has to hand, as an application would: an address, a folder, and a main run loop that runs until
/// the program quits.
final class ExampleContext: Sendable {
  /// What to load.
  let url: URL
  /// A folder to write to.
  let scratch: URL
  /// When a finger is on the screen, in seconds since the start.
  private let touch: (began: Double, ended: Double)?
  private let hasQuit = Atomic(false)

  init(url: URL, scratch: URL, touch: (began: Double, ended: Double)? = nil) {
    self.url = url
    self.scratch = scratch
    self.touch = touch
    // As in an application, the mode in which a touch is followed is one of the main loop's common modes.
    let name = CFStringCreateWithCString(nil, RunLoop.Mode.tracking.rawValue, 0x0800_0100)
    CFRunLoopAddCommonMode(CFRunLoopGetMain(), name)
  }

  /// A folder in the temporary folder; emptied unless it is kept from one run to the next.
  static func makeScratch(_ name: String, isKept: Bool = false) -> URL? {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ejected-\(name)")
    if !isKept { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder
    } catch {
      return nil
    }
  }

  /// Another address of the same server, such as `/json`.
  func url(_ path: String) -> URL { URL(string: path, relativeTo: url)?.absoluteURL ?? url }

  /// Runs the main run loop until `quit` is called; while a finger is on the screen, in the tracking mode.
  func runApplication() {
    if let touch {
      let start = Date()
      run(.default, until: start + touch.began)
      print("a finger touches the screen")
      run(.tracking, until: start + touch.ended)
      print("the finger is gone")
    }
    run(.default, until: .distantFuture)
  }

  private func run(_ mode: RunLoop.Mode, until end: Date) {
    while !hasQuit.load(ordering: .relaxed), end.timeIntervalSinceNow > 0 {
      _ = RunLoop.main.run(mode: mode, before: end)
    }
  }

  /// Ends `runApplication`, from any thread.
  func quit() {
    hasQuit.store(true, ordering: .relaxed)
    CFRunLoopStop(CFRunLoopGetMain())
    CFRunLoopWakeUp(CFRunLoopGetMain())
  }
}

extension RunLoop.Mode {
  /// The mode in which an application's main loop runs while a person touches the screen.
  static let tracking = RunLoop.Mode("UITrackingRunLoopMode")
}
