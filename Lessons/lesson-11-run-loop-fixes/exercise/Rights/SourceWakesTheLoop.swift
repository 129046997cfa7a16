// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import Foundation
import LessonKit

/// Right: the handler signals a source in the worker's loop; a run returns when a source was handled.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      let answer = Answer()
      let loop = CFRunLoopGetCurrent()
      var context = CFRunLoopSourceContext()
      context.perform = { _ in }
      nonisolated(unsafe) let source = CFRunLoopSourceCreate(nil, 0, &context)
      CFRunLoopAddSource(loop, source, CFStringCreateWithCString(nil, RunLoop.Mode.default.rawValue, 0x0800_0100))
      NSURLConnection.sendAsynchronousRequest(URLRequest(url: app.url), queue: OperationQueue()) { _, body, error in
        if let error { print("failed: \(error.localizedDescription)") }
        answer.give(body ?? Data())
        CFRunLoopSourceSignal(source)
        CFRunLoopWakeUp(loop)
      }
      while answer.body == nil { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
      print("the worker goes on")
      try? answer.body?.write(to: app.scratch.appendingPathComponent("download"))
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
    }
    app.runApplication()
  }
}

/// Sendable: a lock guards it.
private final class Answer: @unchecked Sendable {
  private let lock = NSLock()
  private var given: Data?
  var body: Data? { lock.withLock { given } }
  func give(_ body: Data) { lock.withLock { given = body } }
}
