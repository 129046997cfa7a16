// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonKit

/// Right: an NSURLConnection whose delegate passes each redirect on, with the password for our host alone.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = try? Data(contentsOf: app.scratch.appendingPathComponent("upload"))
    request.setValue("Basic a2F0ZTpzZWNyZXQ=", forHTTPHeaderField: "Authorization")
    _ = NSURLConnection(request: request, delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExerciseContext
    init(_ app: ExerciseContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
    ) -> URLRequest? {
      guard response != nil else { return request }
      let isOurs = request.url?.host == app.url.host && request.url?.port == app.url.port
      let secret = connection.originalRequest.value(forHTTPHeaderField: "Authorization")
      var next = request
      next.setValue(isOurs ? secret : nil, forHTTPHeaderField: "Authorization")
      return next
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) { app.quit() }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      print("failed: \(error.localizedDescription)")
      app.quit()
    }
  }
}
