// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A task that is cancelled in the middle by the person who waits: unlike a
/// connection it has an end, with the error -999.
enum CancelledTask {
  static func run(_ app: ExampleContext) {
    let session = URLSession(
      configuration: .default, delegate: Load(app), delegateQueue: .main)
    let task = session.dataTask(with: app.url)
    task.resume()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { task.cancel() }
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Load: NSObject, URLSessionDataDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {}

    // begin end
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      let code = (error as? URLError)?.code
      print(code == .cancelled ? "cancelled" : "too late to cancel")  // ←
      app.quit()
    }
    // end end
  }
}
