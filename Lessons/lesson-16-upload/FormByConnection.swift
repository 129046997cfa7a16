// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A form: method and body of the request.
enum FormByConnection {
  static func run(_ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = Data("username=daka&pwd=123".utf8)
    let data = try? NSURLConnection.sendSynchronousRequest(
      request, returning: nil)
    print("the server answered \(data?.count ?? 0) bytes")
  }
}
