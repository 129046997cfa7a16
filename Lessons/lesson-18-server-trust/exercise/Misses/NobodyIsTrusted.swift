// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Too much: no server is believed any more.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let session = URLSession(configuration: .ephemeral, delegate: Judge(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, _ in
      try? data?.write(to: app.scratch.appendingPathComponent("download"))
      app.quit()
    }
    task.resume()
    app.runApplication()
  }

  private final class Judge: NSObject, URLSessionDelegate {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping Answer
    ) {
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  }
}
