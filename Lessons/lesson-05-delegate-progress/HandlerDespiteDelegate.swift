// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A session with a delegate, and a task with a completion handler: the
/// handler takes all, the delegate hears nothing.
enum HandlerDespiteDelegate {
  static func run(_ app: ExampleContext) {
    let quit = app.quit
    let session = URLSession(
      configuration: .default, delegate: Progress(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, error in
      print(
        error.map { "failed: \($0.localizedDescription)" }
          ?? "received \(data?.count ?? 0) bytes")
      quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Progress: NSObject, URLSessionDataDelegate {
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      print("the delegate received \(data.count) bytes")
    }
  }
}
