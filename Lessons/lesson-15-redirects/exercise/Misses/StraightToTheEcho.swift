// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Sends to /echo at once and never asks `app.url`: no redirect is followed, no other host ever reached.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    var request = URLRequest(url: app.url("/echo"))
    request.httpMethod = "POST"
    request.httpBody = try? Data(contentsOf: app.scratch.appendingPathComponent("upload"))
    request.setValue("Basic a2F0ZTpzZWNyZXQ=", forHTTPHeaderField: "Authorization")
    let session = URLSession(configuration: .ephemeral, delegate: Guide(), delegateQueue: nil)
    let task = session.dataTask(with: request) { data, _, error in
      print(error.map { "failed: \($0.localizedDescription)" } ?? "received \(data?.count ?? 0) bytes")
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Guide: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }
  }
}
