// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A form whose password has an ampersand and a plus sign.
enum FormValues {
  /// Defective: the server takes the ampersand for the end of the value.
  static func unescaped(_ app: ExampleContext) {
    // begin unescaped
    let password = "1&2+3"
    send("username=daka&pwd=\(password)", app)
    // end unescaped
  }

  /// The cure: only letters, digits and "-._~" stand for themselves.
  static func escaped(_ app: ExampleContext) {
    // begin escaped
    let marks = CharacterSet(charactersIn: "-._~")
    let plain = CharacterSet.alphanumerics.union(marks)
    let password = "1&2+3"
      .addingPercentEncoding(withAllowedCharacters: plain)  // ←
    send("username=daka&pwd=\(password ?? "")", app)
    // end escaped
  }

  private static func send(_ form: String, _ app: ExampleContext) {
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBody = Data(form.utf8)
    let reply = try? NSURLConnection.sendSynchronousRequest(
      request, returning: nil)
    print(reply == nil ? "failed" : "sent")
  }
}
