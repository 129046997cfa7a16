// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// A task that is cancelled in its first piece of data: unlike a connection
/// it has an end, with the error -999.
enum CancelledTask {
  static func run(_ app: ExampleContext) {
    let session = URLSession(
      configuration: .default, delegate: Load(app), delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Load: NSObject, URLSessionDataDelegate {
    private let app: ExampleContext
    init(_ app: ExampleContext) { self.app = app }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask,
      didReceive data: Data
    ) {
      dataTask.cancel()
    }

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
