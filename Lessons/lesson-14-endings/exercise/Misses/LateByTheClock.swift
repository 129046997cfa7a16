// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Calls late what took two seconds, whatever ended it: a slow load that fails would be late, too.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Loads(app).next()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Loads: @unchecked Sendable {
  private let app: ExerciseContext
  private var words: [String] = []
  private let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func next() {
    guard words.count < 9 else {
      app.result(words.joined(separator: " "))
      return app.quit()
    }
    var request = URLRequest(url: app.url("\(words.count + 1)"))
    request.timeoutInterval = 2
    let began = Date()
    let task = session.dataTask(with: request) { _, response, error in
      self.words.append(Self.word(response, error, -began.timeIntervalSinceNow))
      self.next()
    }
    task.resume()
  }

  private static func word(_ response: URLResponse?, _ error: (any Error)?, _ taken: TimeInterval) -> String {
    if taken > 1.9 { return "late" }
    let status = (response as? HTTPURLResponse)?.statusCode
    guard let error else { return [200: "whole", 204: "empty", 404: "missing", 503: "unable"][status] ?? "unknown" }
    switch (error as? URLError)?.code {
    case .cannotConnectToHost: return "nobody"
    case .unsupportedURL: return "unsupported"
    default: return status == 200 ? "cut" : "lost"
    }
  }
}
