// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: a task's own delegate, in async style, keeps the password from other hosts.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = try? Data(contentsOf: app.scratch.appendingPathComponent("upload"))
    request.setValue("Basic a2F0ZTpzZWNyZXQ=", forHTTPHeaderField: "Authorization")
    Task { [request] in
      do {
        let (data, _) = try await URLSession.shared.data(for: request, delegate: Guide())
        print("received \(data.count) bytes")
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }

  private final class Guide: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest
    ) async -> URLRequest? {
      guard let first = task.originalRequest else { return nil }
      let isOurs = request.url?.host == first.url?.host && request.url?.port == first.url?.port
      var next = request
      let secret = isOurs ? first.value(forHTTPHeaderField: "Authorization") : nil
      next.setValue(secret, forHTTPHeaderField: "Authorization")
      return next
    }
  }
}
