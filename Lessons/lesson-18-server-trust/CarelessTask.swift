// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Defective: accepts the certificate of every server.
enum CarelessTask {
  static func run(_ app: ExampleContext) {
    let session = URLSession(
      configuration: .ephemeral, delegate: Careless(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, error in
      if let error {
        print("failed: \((error as NSError).code)")
      } else {
        print("received \(data?.count ?? 0) bytes")
      }
      app.quit()
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private final class Careless: NSObject, URLSessionDelegate {
    typealias Answer =
      @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    // begin careless
    func urlSession(
      _ session: URLSession,
      didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping Answer
    ) {
      let trust = challenge.protectionSpace.serverTrust
      completionHandler(
        .useCredential, trust.map { URLCredential(trust: $0) })  // ←
    }
    // end careless
  }
}
