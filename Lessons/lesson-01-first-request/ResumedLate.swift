// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A task does nothing until the program resumes it.
enum ResumedLate {
  /// Every task starts suspended: nothing is sent until it is resumed.
  static func resumedLate(_ app: ExampleContext) {
    let task = makeTask(app)
    // begin resumed
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
      print("now")
      task.resume()  // ←
    }
    app.runApplication()
    // end resumed
  }

  /// Defective: the task is made and never resumed.
  static func neverResumed(_ app: ExampleContext) {
    // begin forgotten
    let task = makeTask(app)
    print("the task has number \(task.taskIdentifier)")
    app.runApplication()
    // end forgotten
  }

  private static func makeTask(_ app: ExampleContext) -> URLSessionTask {
    URLSession.shared.dataTask(with: app.url) { data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      if let error {
        print("failed: \(error.localizedDescription)")
      } else if status == 200 {
        print("received \(data?.count ?? 0) bytes")
      } else {
        print("failed: status \(status)")
      }
      app.quit()
    }
  }
}
