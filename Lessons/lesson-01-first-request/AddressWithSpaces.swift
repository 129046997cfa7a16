// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// An address with a space and a Chinese word in it, as a person types it.
enum AddressWithSpaces {
  static func run(_ app: ExampleContext) {
    let text = app.url.absoluteString + "?name=a b&word=\u{8BFE}"
    // As the note does it: encoded first.
    let encoded = text.addingPercentEncoding(
      withAllowedCharacters: .urlQueryAllowed)
    load("encoded", encoded.flatMap { URL(string: $0) })
    // As it is.
    load("plain", URL(string: text))
    // As it is, and as strictly as in the days of the note.
    load("strict", URL(string: text, encodingInvalidCharacters: false))
  }

  private static func load(_ name: String, _ url: URL?) {
    guard let url else { return print("\(name): no URL") }
    let data = try? NSURLConnection.sendSynchronousRequest(
      URLRequest(url: url), returning: nil)
    print("\(name): \(data?.count ?? 0) bytes")
  }
}
