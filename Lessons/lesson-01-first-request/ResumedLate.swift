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

  /// Defective: a task of each kind is made and never resumed.
  static func neverResumed(_ app: ExampleContext) {
    // begin forgotten
    let session = URLSession.shared
    let tasks = [
      makeTask(app), session.downloadTask(with: app.url),
      session.uploadTask(with: URLRequest(url: app.url), from: Data()),
    ]
    let suspended = tasks.count { $0.state == .suspended }
    print("\(suspended) of \(tasks.count) tasks are suspended")
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
