// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A POST that is redirected: the status decides what the second request is.
enum RedirectedPost {
  static func run(_ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = Data("a=1".utf8)
    let delegate = AskingDelegate(app) { proposed, _ in
      print("proposed: \(proposed.httpMethod ?? "no method")")
      return proposed
    }
    _ = NSURLConnection(request: request, delegate: delegate)
    app.runApplication()
  }
}
