// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: async delegate with a list that gets shorter; then the default, which is the refusal.
enum Exercise {
  static let passwords = ["guess", "other", "secret"]

  static func run(_ app: ExerciseContext) {
    Task {
      do {
        let (_, response) = try await URLSession.shared.data(from: app.url, delegate: Login())
        if let status = (response as? HTTPURLResponse)?.statusCode { app.result("\(status)") }
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }

  /// Sendable: a lock guards what is left.
  private final class Login: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var left = passwords[...]

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      guard let password = lock.withLock({ left.popFirst() }) else { return (.performDefaultHandling, nil) }
      return (.useCredential, URLCredential(user: "lesson", password: password, persistence: .none))
    }
  }
}
