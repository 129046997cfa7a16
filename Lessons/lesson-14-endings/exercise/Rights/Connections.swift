// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: nine NSURLConnections, one after the other; the delegate's end decides.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    next([], app)
    app.runApplication()
  }

  static func next(_ words: [String], _ app: ExerciseContext) {
    guard words.count < 9 else {
      app.result(words.joined(separator: " "))
      return app.quit()
    }
    let request = URLRequest(
      url: app.url("\(words.count + 1)"), cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 2)
    _ = NSURLConnection(request: request, delegate: Load { next(words + [$0], app) })
  }
}

/// Finds the word for one load.
private final class Load: NSObject, NSURLConnectionDataDelegate {
  private let end: (String) -> Void
  private var status: Int?
  init(_ end: @escaping (String) -> Void) { self.end = end }

  func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
    status = (response as? HTTPURLResponse)?.statusCode
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    end([200: "whole", 204: "empty", 404: "missing", 503: "unable"][status] ?? "unknown")
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    switch (error as NSError).code {
    case NSURLErrorTimedOut: end("late")
    case NSURLErrorCannotConnectToHost: end("nobody")
    case NSURLErrorUnsupportedURL: end("unsupported")
    default: end(status == nil ? "lost" : "cut")
    }
  }
}
