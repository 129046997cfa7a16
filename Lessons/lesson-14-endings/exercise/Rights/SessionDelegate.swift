// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: a delegate notes the response when it comes, and at the end the status or the code decides.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Loads(app).next()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Loads: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private var words: [String] = []
  private var status: Int?
  private lazy var session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func next() {
    guard words.count < 9 else {
      app.result(words.joined(separator: " "))
      return app.quit()
    }
    status = nil
    var request = URLRequest(url: app.url("\(words.count + 1)"))
    request.timeoutInterval = 2
    session.dataTask(with: request).resume()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    status = (response as? HTTPURLResponse)?.statusCode
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    words.append(word((error as? URLError)?.code))
    next()
  }

  private func word(_ code: URLError.Code?) -> String {
    switch (code, status) {
    case (nil, 200?): return "whole"
    case (nil, 204?): return "empty"
    case (nil, 404?): return "missing"
    case (nil, 503?): return "unable"
    case (.timedOut?, nil): return "late"
    case (.cannotConnectToHost?, nil): return "nobody"
    case (.unsupportedURL?, nil): return "unsupported"
    case (_?, nil): return "lost"
    case (_?, 200?): return "cut"
    default: return "unknown"
    }
  }
}
