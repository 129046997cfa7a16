// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Believes every server, looks at the trust afterwards and throws the body away: the request was sent.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    let session = URLSession(configuration: .ephemeral, delegate: Judge(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, error in
      if let data, (session.delegate as? Judge)?.isTrusted == true { try? data.write(to: file) }
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  /// Sendable: its method and the handler are called one at a time.
  private final class Judge: NSObject, URLSessionDelegate, @unchecked Sendable {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    private(set) var isTrusted = false

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Answer
    ) {
      let trust = challenge.protectionSpace.serverTrust
      isTrusted = trust.map { SecTrustEvaluateWithError($0, nil) } ?? false
      completionHandler(.useCredential, trust.map { URLCredential(trust: $0) })
    }
  }
}
