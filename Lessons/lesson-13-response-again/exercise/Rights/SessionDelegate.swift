// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: a session's data delegate does the same, allowing each response.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: Load(app), delegateQueue: .main)
    session.dataTask(with: app.url).resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Load: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let app: ExerciseContext
    private var picture = Data()
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      picture = Data()
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { picture.append(data) }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      if let error {
        print("failed: \(error.localizedDescription)")
      } else {
        try? picture.write(to: app.scratch.appendingPathComponent("picture"))
      }
      app.quit()
    }
  }
}
