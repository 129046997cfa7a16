// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// An address with a space and a Chinese word in it, as a person types it.
/// The server answers with the path and query that it received.
enum AddressWithSpaces {
  static func run(_ app: ExampleContext) {
    let text = app.url.absoluteString + "?name=a b&word=\u{8BFE}"
    // begin encoded
    // As the note does it: encoded first.
    let encoded = text.addingPercentEncoding(
      withAllowedCharacters: .urlQueryAllowed)
    load("encoded", encoded.flatMap { URL(string: $0) })
    // As it is.
    load("plain", URL(string: text))
    // As it is, and as strictly as in the days of the note.
    load("strict", URL(string: text, encodingInvalidCharacters: false))
    // end encoded
  }

  private struct Echo: Decodable {
    var target: String
  }

  private static func load(_ name: String, _ url: URL?) {
    guard let url else { return print("\(name): no URL") }
    do {
      let data = try NSURLConnection.sendSynchronousRequest(
        URLRequest(url: url), returning: nil)
      let echo = try JSONDecoder().decode(Echo.self, from: data)
      print("\(name): the server received \(echo.target)")
    } catch {
      print("\(name): failed, \(error.localizedDescription)")
    }
  }
}
