// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// An answer of HTTP/1.1 that calls itself another version's: RFC 9112 section 2.3 knows `HTTP/1.` and a digit, and HTTP/2
/// has no version in its answers at all (RFC 9113 section 8.3.2).
struct Label: Sendable {
  let name: String
  /// The answer's heads, each with its lines.
  let heads: [[String]]
  /// True if the last head is a lawful one, with the body behind it.
  var isLawfulAtLast = false
  var closes = false

  static let all = finals + interims

  static let finals: [Label] = [
    Label(name: "HTTP/2 200", heads: [["HTTP/2 200 OK", "Content-Length: 0"]]),
    Label(name: "HTTP/2 302", heads: [["HTTP/2 302 Found", "Location: /landing", "Content-Length: 0"]]),
    Label(
      name: "HTTP/2 407",
      heads: [["HTTP/2 407 Who", "Proxy-Authenticate: Basic realm=\"x\"", "Content-Length: 0"]]),
    Label(
      name: "HTTP/2 200 with close", heads: [["HTTP/2 200 OK", "Connection: close", "Content-Length: 0"]], closes: true),
    Label(name: "HTTP/2.0 200", heads: [["HTTP/2.0 200 OK", "Content-Length: 0"]]),
  ]

  static let interims: [Label] = ["HTTP/2 103 Early", "HTTP/2 100 Continue", "HTTP/2.0 103 Early"].map { line in
    Label(name: "\(line), then HTTP/1.1 200", heads: [[line]], isLawfulAtLast: true)
  }

  /// Answers a request with it.
  func answer(_ asked: TextServer.Asked) {
    for head in heads { asked.reply(head) }
    if isLawfulAtLast { asked.replyLawfully() }
    if closes { asked.connection.end(.fin) }
  }
}
