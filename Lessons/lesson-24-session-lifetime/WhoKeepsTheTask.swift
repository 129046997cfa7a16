// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The program itself keeps no task, it only looks whether one still exists:
/// first one that it cancels, then one that comes to its end.
enum WhoKeepsTheTask {
  static func run(_ app: ExampleContext) {
    let session = URLSession(configuration: .default)
    watch("a cancelled task", session, app.url) { $0?.cancel() }
    watch("a task that ends", session, app.url) { _ in }
    session.finishTasksAndInvalidate()
  }

  private static func watch(
    _ name: String, _ session: URLSession, _ url: URL,
    then work: (URLSessionTask?) -> Void
  ) {
    let hasEnded = DispatchSemaphore(value: 0)
    weak let task = start(session, url, hasEnded)
    print("\(name), at once: \(task == nil ? "gone" : "there")")
    work(task)
    hasEnded.wait()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
    print("\(name), afterwards: \(task == nil ? "gone" : "there")")
  }

  private static func start(
    _ session: URLSession, _ url: URL, _ hasEnded: DispatchSemaphore
  ) -> URLSessionTask {
    let task = session.dataTask(with: url) { _, _, error in
      print(error == nil ? "ended" : "cancelled")
      hasEnded.signal()
    }
    task.resume()
    return task
  }
}
