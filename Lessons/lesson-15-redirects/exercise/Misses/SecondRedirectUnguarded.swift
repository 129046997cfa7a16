// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Guards the first redirect alone: a second one to another host gets the password again.
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

  /// Sendable: its method is called once at a time.
  private final class Guide: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private var redirects = 0

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      redirects += 1
      var next = request
      let secret = task.originalRequest?.value(forHTTPHeaderField: "Authorization")
      let stays = redirects > 1 || next.url?.host == task.originalRequest?.url?.host
      next.setValue(stays ? secret : nil, forHTTPHeaderField: "Authorization")
      completionHandler(next)
    }
  }
}
