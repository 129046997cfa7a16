// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A form: method and body stand in the request.
enum FormByConnection {
  static func run(_ app: ExampleContext) {
    // begin form
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = Data("username=daka&pwd=123".utf8)
    // end form
    var response: URLResponse?
    do {
      _ = try NSURLConnection.sendSynchronousRequest(
        request, returning: &response)
      print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    } catch {
      print("failed: \(error.localizedDescription)")
    }
  }
}
