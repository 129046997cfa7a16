// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A session with a delegate, and a task with a completion handler: the
/// handler takes all, and the delegate's data method is never called.
enum HandlerDespiteDelegate {
  static func run(_ app: ExampleContext) {
    let quit = app.quit
    let session = URLSession(
      configuration: .default, delegate: Progress(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      if let data, status == 200 {
        print("received \(data.count) bytes")
      } else {
        let why = error?.localizedDescription ?? "status \(status)"
        print("failed: \(why)")
      }
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
