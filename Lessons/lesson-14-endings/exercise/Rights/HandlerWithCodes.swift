// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: the status where there is no error, else the error's code; a response tells cut from lost.
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
    let task = session.dataTask(with: request) { [self] _, response, error in
      words.append(Self.word(response, error))
      next()
    }
    task.resume()
  }

  private static func word(_ response: URLResponse?, _ error: (any Error)?) -> String {
    let status = (response as? HTTPURLResponse)?.statusCode
    guard let error else { return [200: "whole", 204: "empty", 404: "missing", 503: "unable"][status] ?? "unknown" }
    switch (error as? URLError)?.code {
    case .timedOut: return "late"
    case .cannotConnectToHost: return "nobody"
    case .unsupportedURL: return "unsupported"
    default: return status == 200 ? "cut" : "lost"
    }
  }
}
