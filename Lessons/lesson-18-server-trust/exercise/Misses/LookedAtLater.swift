// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too late: believes the server first, and throws the body away when the judgement is bad. The request has been sent.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let judge = Judge()
    let session = URLSession(configuration: .ephemeral, delegate: judge, delegateQueue: .main)
    let task = session.dataTask(with: app.url) { data, _, _ in
      if judge.isGood { try? data?.write(to: app.scratch.appendingPathComponent("download")) }
      app.quit()
    }
    task.resume()
    app.runApplication()
  }

  /// Sendable: its methods are called on the main thread alone.
  private final class Judge: NSObject, URLSessionDelegate, @unchecked Sendable {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    private(set) var isGood = false

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Answer
    ) {
      let trust = challenge.protectionSpace.serverTrust
      isGood = trust.map { SecTrustEvaluateWithError($0, nil) } ?? false
      completionHandler(.useCredential, trust.map { URLCredential(trust: $0) })
    }
  }
}
