// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: scheme, host and port are compared with the first request's; only there the password goes.
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
      next.setValue(nil, forHTTPHeaderField: "Authorization")
      if let first = task.originalRequest, Self.origin(first.url) == Self.origin(request.url) {
        let secret = first.value(forHTTPHeaderField: "Authorization")
        next.setValue(secret, forHTTPHeaderField: "Authorization")
      }
      completionHandler(next)
    }

    private static func origin(_ url: URL?) -> [String] {
      [url?.scheme ?? "", url?.host ?? "", url?.port.map(String.init) ?? ""].map { $0.lowercased() }
    }
  }
}
