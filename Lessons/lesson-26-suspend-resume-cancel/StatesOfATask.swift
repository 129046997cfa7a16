// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The states of a task, from its making to its end.
enum StatesOfATask {
  /// Suspended for a second in mid-transfer, then resumed to its end.
  static func resumed(_ app: ExampleContext) {
    let task = make(app)
    after(0.5) {
      task.suspend()
      print("suspended: \(task.words)")
    }
    after(1.5) {
      print("still: \(task.words)")
      task.resume()
      print("resumed: \(task.words)")
    }
    app.runApplication()
  }

  /// Suspended, then cancelled: it ends at once.
  static func cancelled(_ app: ExampleContext) {
    let task = make(app)
    after(0.5) {
      task.suspend()
      print("suspended: \(task.words)")
      task.cancel()
      print("cancelled: \(task.words)")
    }
    app.runApplication()
  }

  private static func make(_ app: ExampleContext) -> URLSessionTask {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      print("ended: \(data?.count ?? 0) bytes")
      app.quit()
    }
    print("made: \(task.words)")
    task.resume()
    print("resumed: \(task.words)")
    return task
  }

  private static func after(
    _ seconds: Double, do work: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds, execute: work)
  }
}

extension URLSessionTask {
  fileprivate var words: String {
    let names = ["running", "suspended", "canceling", "completed"]
    return "\(names[state.rawValue]), \(countOfBytesReceived) bytes"
  }
}
