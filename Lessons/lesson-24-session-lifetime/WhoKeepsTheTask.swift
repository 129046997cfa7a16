// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The program itself keeps no task, it only looks whether one is still
/// there.
enum WhoKeepsTheTask {
  static func run(_ app: ExampleContext) {
    let session = URLSession(configuration: .default)
    let ending = Watched("a task that ends", start(session, app.url))
    let cancelled = Watched("a cancelled task", start(session, app.url))
    ending.look("at once")
    cancelled.look("at once")
    cancelled.task?.cancel()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 1))
    ending.look("afterwards")
    cancelled.look("afterwards")
    session.finishTasksAndInvalidate()
  }

  private static func start(_ session: URLSession, _ url: URL)
    -> URLSessionTask
  {
    let task = session.dataTask(with: url) { data, _, error in
      print(error == nil ? "ended" : "cancelled")
    }
    task.resume()
    return task
  }

  private final class Watched {
    private let name: String
    private(set) weak var task: URLSessionTask?

    init(_ name: String, _ task: URLSessionTask) {
      self.name = name
      self.task = task
    }

    func look(_ moment: String) {
      print("\(name), \(moment): \(task == nil ? "gone" : "there")")
    }
  }
}
