// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
import Foundation
import LessonKit
import SessionAPI

/// Right: a session's task loads; its handler ends the worker's loop by a block performed in it.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Thread.detachNewThread {
      RunLoop.current.add(Timer(timeInterval: 3600, repeats: true) { _ in }, forMode: .default)
      let (loop, answer) = (CFRunLoopGetCurrent(), Answer())
      let mode = CFStringCreateWithCString(nil, RunLoop.Mode.default.rawValue, 0x0800_0100)
      let session = URLSession(configuration: .ephemeral)
      let task = session.dataTask(with: app.url) { body, _, error in
        if let error { print("failed: \(error.localizedDescription)") }
        answer.body = body
        CFRunLoopPerformBlock(loop, mode) {
          answer.isThere = true
          CFRunLoopStop(CFRunLoopGetCurrent())
        }
        CFRunLoopWakeUp(loop)
      }
      task.resume()
      session.finishTasksAndInvalidate()
      while !answer.isThere { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
      print("the worker goes on")
      try? answer.body?.write(to: app.scratch.appendingPathComponent("download"))
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: app.quit)
    }
    app.runApplication()
  }
}

/// Sendable: the flag is the worker's, and the body is looked at behind it.
private final class Answer: @unchecked Sendable {
  var body: Data?
  var isThere = false
}
