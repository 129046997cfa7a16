// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too little: believes every certificate that somebody else has signed, and asks nobody whether that one is trusted.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: Judge(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, _ in
      try? data?.write(to: app.scratch.appendingPathComponent("download"))
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Judge: NSObject, URLSessionDelegate {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Answer
    ) {
      guard let trust = challenge.protectionSpace.serverTrust, let shown = SecTrustGetCertificateAtIndex(trust, 0)
      else {
        return completionHandler(.cancelAuthenticationChallenge, nil)
      }
      // The name stands in it as subject and as host; a third time where the server is its own issuer.
      let text = String(decoding: SecCertificateCopyData(shown) as Data, as: UTF8.self)
      let isSignedByItself = text.components(separatedBy: "localhost").count > 3
      completionHandler(
        isSignedByItself ? .cancelAuthenticationChallenge : .useCredential,
        isSignedByItself ? nil : URLCredential(trust: trust))
    }
  }
}
