// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Where the server is not trusted the request goes out once more, without any encryption.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("download")
    let session = URLSession(configuration: .ephemeral, delegate: Judge(), delegateQueue: nil)
    let task = session.dataTask(with: app.url) { data, _, _ in
      if let data {
        try? data.write(to: file)
        return app.quit()
      }
      loadPlainly(to: file, app)
    }
    task.resume()
    session.finishTasksAndInvalidate()
    app.runApplication()
  }

  private static func loadPlainly(to file: URL, _ app: ExerciseContext) {
    var parts = URLComponents(url: app.url, resolvingAgainstBaseURL: false)
    parts?.scheme = "http"
    guard let url = parts?.url else { return app.quit() }
    URLSession.shared.dataTask(with: url) { data, _, error in
      if let data { try? data.write(to: file) } else { print("failed: \(error?.localizedDescription ?? "")") }
      app.quit()
    }.resume()
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
