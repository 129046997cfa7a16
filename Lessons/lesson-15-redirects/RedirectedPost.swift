// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A POST that is redirected: the status says what becomes of it.
enum RedirectedPost {
  static func run(_ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = Data("a=1".utf8)
    var response: URLResponse?
    _ = try? NSURLConnection.sendSynchronousRequest(
      request, returning: &response)
    print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
  }
}
