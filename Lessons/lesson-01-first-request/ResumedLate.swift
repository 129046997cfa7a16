// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A task does nothing until somebody resumes it.
enum ResumedLate {
  /// Every task starts suspended: nothing is sent until it is resumed.
  static func resumedLate(_ app: ExampleContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, _ in
      print("received \(data?.count ?? 0) bytes")
      app.quit()
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
      print("now")
      task.resume()
    }
    app.runApplication()
  }

  /// Defective: the task that nobody resumed.
  static func neverResumed(_ app: ExampleContext) {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, _ in
      print("received \(data?.count ?? 0) bytes")
      app.quit()
    }
    print("the task has number \(task.taskIdentifier)")
    app.runApplication()
  }
}
