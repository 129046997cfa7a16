// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: async upload from the file; the delegate of the task knows the password.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Task {
      let file = app.scratch.appendingPathComponent("upload")
      var request = URLRequest(url: app.url)
      request.httpMethod = "POST"
      do {
        let (_, response) = try await URLSession.shared.upload(for: request, fromFile: file, delegate: Login())
        print((response as? HTTPURLResponse)?.statusCode ?? 0)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }

  private final class Login: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      guard challenge.previousFailureCount == 0 else { return (.performDefaultHandling, nil) }
      return (.useCredential, URLCredential(user: "lesson", password: "secret", persistence: .none))
    }
  }
}
