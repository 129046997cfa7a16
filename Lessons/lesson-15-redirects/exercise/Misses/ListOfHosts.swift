// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// The hosts that may have the password stand in a list, in place of the one that was asked first: right by chance.
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
      var next = request
      let mayHaveIt = ["127.0.0.1"].contains(next.url?.host ?? "")
      let secret = mayHaveIt ? task.originalRequest?.value(forHTTPHeaderField: "Authorization") : nil
      next.setValue(secret, forHTTPHeaderField: "Authorization")
      completionHandler(next)
    }
  }
}
