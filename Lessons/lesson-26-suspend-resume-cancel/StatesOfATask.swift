// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The states of a task, from its making to its end.
enum StatesOfATask {
  /// Suspended for a second, then resumed to its end.
  static func resumed(_ app: ExampleContext) {
    let task = start(app)
    after(0.5) {
      task.suspend()
      print("suspended: \(task.words)")
    }
    after(1) { print("half a second later: \(task.words)") }
    after(1.5) {
      print("a second later: \(task.words)")
      task.resume()  // ←
      print("resumed: \(task.words)")
    }
    app.runApplication()
  }

  /// Suspended, then cancelled: it ends at once.
  static func cancelled(_ app: ExampleContext) {
    let task = start(app)
    after(0.5) {
      // begin states
      task.suspend()
      print("suspended: \(task.words)")
      task.cancel()  // ←
      print("cancelled: \(task.words)")
      // end states
    }
    app.runApplication()
  }

  private static func start(_ app: ExampleContext) -> URLSessionTask {
    let task = URLSession.shared.dataTask(with: app.url) { data, _, error in
      let code = (error as NSError?)?.code
      let bytes = "\(data?.count ?? 0) bytes"
      print("ended: \(code.map { "error \($0)" } ?? bytes)")
      app.quit()
    }
    print("made: \(task.words)")
    task.resume()
    print("started: \(task.words)")
    return task
  }

  private static func after(
    _ time: Double, _ work: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.main.asyncAfter(deadline: .now() + time, execute: work)
  }
}
