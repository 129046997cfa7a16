// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: the delegate leaves the judgement to the system.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    let session = URLSession(configuration: .ephemeral, delegate: Judge(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, error in
      if let data { try? data.write(to: file) } else { print("failed: \(error?.localizedDescription ?? "")") }
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
      completionHandler(.performDefaultHandling, nil)
    }
  }
}
