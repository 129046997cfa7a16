// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The wrong cure: a request of its own for the new address has no password, but no method and no body, either.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = try? Data(contentsOf: app.scratch.appendingPathComponent("upload"))
    request.setValue("Basic a2F0ZTpzZWNyZXQ=", forHTTPHeaderField: "Authorization")
    let session = URLSession(configuration: .ephemeral, delegate: Guide(), delegateQueue: nil)
    session.dataTask(with: request) { _, _, _ in app.quit() }.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Guide: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(request.url.map { URLRequest(url: $0) })
    }
  }
}
