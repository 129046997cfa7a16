// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: believes every server at the right address.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: Judge(app), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, _ in
      try? data?.write(to: app.scratch.appendingPathComponent("download"))
      app.quit()
    }
    task.resume()
    app.runApplication()
  }

  private final class Judge: NSObject, URLSessionDelegate {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    private let app: ExerciseContext
    init(_ app: ExerciseContext) { self.app = app }

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Answer
    ) {
      guard challenge.protectionSpace.host == app.url.host, let trust = challenge.protectionSpace.serverTrust else {
        return completionHandler(.cancelAuthenticationChallenge, nil)
      }
      completionHandler(.useCredential, URLCredential(trust: trust))
    }
  }
}
