// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same with a task.
enum SecureTask {
  static func run(_ app: ExampleContext) {
    load(app, accepts: false)
  }

  /// Defective: accepts whatever certificate it is shown.
  static func acceptingAll(_ app: ExampleContext) {
    load(app, accepts: true)
  }

  private static func load(_ app: ExampleContext, accepts: Bool) {
    let session = URLSession(
      configuration: .ephemeral, delegate: accepts ? Careless() : nil,
      delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, error in
      print(
        error.map { "failed: \(($0 as NSError).code)" }
          ?? "received \(data?.count ?? 0) bytes")
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Careless: NSObject, URLSessionDelegate {
    func urlSession(
      _ session: URLSession,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (
          URLSession.AuthChallengeDisposition, URLCredential?
        ) -> Void
    ) {
      let trust = challenge.protectionSpace.serverTrust
      completionHandler(
        .useCredential, trust.map { URLCredential(trust: $0) })
    }
  }
}
