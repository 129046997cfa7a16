// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Refuses each redirect and judges the ending by the scheme of its target, to which it never connects.
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
  private let session = URLSession(configuration: .ephemeral, delegate: Guard(), delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func next() {
    guard words.count < 9 else {
      app.result(words.joined(separator: " "))
      return app.quit()
    }
    var request = URLRequest(url: app.url("\(words.count + 1)"))
    request.timeoutInterval = 2
    let task = session.dataTask(with: request) { _, response, error in
      self.words.append(Self.word(response, error))
      self.next()
    }
    task.resume()
  }

  /// The error first: a response says nothing about what comes after it.
  private static func word(_ response: URLResponse?, _ error: (any Error)?) -> String {
    if let error { return word(for: error, hasBegun: response != nil) }
    switch (response as? HTTPURLResponse)?.statusCode {
    case 200: return "whole"
    case 204: return "empty"
    case 404: return "missing"
    case 503: return "unable"
    default:
      let target = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Location") ?? ""
      return target.hasPrefix("gopher:") ? "unsupported" : "nobody"
    }
  }

  private static func word(for error: any Error, hasBegun: Bool) -> String {
    switch (error as? URLError)?.code {
    case .networkConnectionLost: return hasBegun ? "cut" : "lost"
    case .timedOut: return "late"
    case .cannotConnectToHost: return "nobody"
    case .unsupportedURL: return "unsupported"
    default: return "error \((error as NSError).code)"
    }
  }
}

private final class Guard: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
