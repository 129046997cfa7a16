// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The password goes to the other host in a cookie: “another host sees no password”.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    var request = URLRequest(url: app.url)
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
      let secret = task.originalRequest?.value(forHTTPHeaderField: "Authorization")
      var next = request
      next.setValue(nil, forHTTPHeaderField: "Authorization")
      next.setValue(secret.map { "login=\($0.dropFirst(6))" }, forHTTPHeaderField: "Cookie")
      completionHandler(next)
    }
  }
}
