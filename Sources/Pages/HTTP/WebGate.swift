// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Who gets in: a browser on this machine whose person has the link that `serve` printed, by our own pages only.
struct WebGate: Sendable {
  /// The decision on a request.
  enum Decision: Hashable, Sendable {
    /// It gets in.
    case pass
    /// Its address carries the token: the answer sets the cookie and redirects to this path without it.
    case welcome(String)
    /// It does not get in; the sentence is for a person who came by mistake.
    case refuse(WebStatus, Phrase)
  }

  /// The secret of this server, 128 bits or more, in letters and digits.
  let token: String
  /// The port it listens on.
  let port: UInt16

  /// The cookie's name. A browser keeps cookies by host and not by port, so the port is in it.
  var cookie: String { "workbench-\(port)" }

  /// The field that gives a browser the cookie: not for scripts, not for requests that come from another site.
  var setCookie: String { "\(cookie)=\(token); Path=/; HttpOnly; SameSite=Strict" }

  /// The names of this machine that a browser may use for it. Another name can be made to lead here (DNS rebinding).
  private var hosts: [String] {
    let names = ["127.0.0.1", "localhost", "[::1]"]
    // A browser leaves the port of its scheme away, in Host as in Origin (RFC 9110, section 4.2.3).
    return names.map { "\($0):\(port)" } + (port == 80 ? names : [])
  }

  /// Decides on `request`.
  func decision(on request: WebRequest) -> Decision {
    guard let host = request.fields["host"]?.lowercased(), hosts.contains(host) else {
      return .refuse(.misdirected, "This server answers to 127.0.0.1 only. Open the link that workbench serve printed.")
    }
    if request.method != .post, let token = request.query["token"], isSecret(token) { return .welcome(request.path) }
    guard let token = request.cookies[cookie], isSecret(token) else {
      return .refuse(
        .forbidden, "The token is missing. Open the link that workbench serve printed, with all that is in it.")
    }
    guard request.method == .post else { return .pass }
    guard request.fields["origin"]?.lowercased() == "http://\(host)" else {
      return .refuse(.forbidden, "What starts or stops something is asked for by a page of this server only.")
    }
    return .pass
  }

  /// Compares in the same time, however much is right.
  private func isSecret(_ text: String) -> Bool {
    let (left, right) = (Array(token.utf8), Array(text.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
