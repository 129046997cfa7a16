// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The server sends the program elsewhere, and asks it through the delegate.
enum RedirectedConnection {
  /// Goes where it is sent: returns the request it was given.
  static func following(_ app: ExampleContext) {
    load(app) { request, _ in request }
  }

  /// Stays: the redirect itself is the answer then.
  static func refusing(_ app: ExampleContext) {
    load(app) { request, response in response == nil ? request : nil }
  }

  /// Goes somewhere else.
  static func rewriting(_ app: ExampleContext) {
    load(app) { request, response in
      response == nil ? request : URLRequest(url: app.url("/1k"))
    }
  }

  typealias Answer = (URLRequest, URLResponse?) -> URLRequest?

  private static func load(_ app: ExampleContext, answer: @escaping Answer) {
    var request = URLRequest(url: app.url)
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    _ = NSURLConnection(request: request, delegate: Load(app, answer))
    app.runApplication()
  }
  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private let answer: Answer
    init(_ app: ExampleContext, _ answer: @escaping Answer) {
      (self.app, self.answer) = (app, answer)
    }
    func connection(
      _ connection: NSURLConnection, willSend request: URLRequest,
      redirectResponse response: URLResponse?
    ) -> URLRequest? {
      answer(request, response)
    }
    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      app.quit()
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      app.quit()
    }
  }
}
