// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The server names another address; the delegate decides about it.
enum RedirectedConnection {
  // begin answers
  /// Follows: returns the proposed request.
  static func following(_ app: ExampleContext) {
    load(app) { request, _ in request }
  }

  /// Stays: nil makes the redirect itself the result.
  static func refusing(_ app: ExampleContext) {
    load(app) { request, response in
      response == nil ? request : nil  // ←
    }
  }

  /// Goes to another address than the server named.
  static func rewriting(_ app: ExampleContext) {
    load(app) { request, response in
      response == nil ? request : URLRequest(url: app.url("/1k"))
    }
  }
  // end answers

  private static func load(
    _ app: ExampleContext, answer: @escaping AskingDelegate.Answer
  ) {
    let delegate = AskingDelegate(app, answer: answer)
    let request = URLRequest(url: app.url)
    _ = NSURLConnection(request: request, delegate: delegate)
    app.runApplication()
  }
}
