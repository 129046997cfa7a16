// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Its own clock cancels the load after two seconds: late is not “the request's time-out”.
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
    request.timeoutInterval = 60
    let task = session.dataTask(with: request) { _, response, error in
      self.words.append(Self.word(response, error))
      self.next()
    }
    task.resume()
    DispatchQueue.main.asyncAfter(deadline: .now() + 2) { task.cancel() }
  }

  private static func word(_ response: URLResponse?, _ error: (any Error)?) -> String {
    let status = (response as? HTTPURLResponse)?.statusCode
    guard let error else { return [200: "whole", 204: "empty", 404: "missing", 503: "unable"][status] ?? "unknown" }
    switch (error as? URLError)?.code {
    case .cancelled: return "late"
    case .cannotConnectToHost: return "nobody"
    case .unsupportedURL: return "unsupported"
    default: return status == 200 ? "cut" : "lost"
    }
  }
}
