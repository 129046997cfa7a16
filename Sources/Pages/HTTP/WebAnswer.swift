// SPDX-License-Identifier: Apache-2.0
import Foundation
import Reports

/// The statuses that pages are answered with.
enum WebStatus: Int, Sendable, Hashable {
  case ok = 200
  case seeOther = 303
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case conflict = 409
  case lengthRequired = 411
  case tooLarge = 413
  case misdirected = 421
  case headTooLarge = 431
  case fault = 500

  var reason: String {
    switch self {
    case .ok: "OK"
    case .seeOther: "See Other"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .conflict: "Conflict"
    case .lengthRequired: "Length Required"
    case .tooLarge: "Content Too Large"
    case .misdirected: "Misdirected Request"
    case .headTooLarge: "Request Header Fields Too Large"
    case .fault: "Internal Server Error"
    }
  }
}

/// A request that is answered with a status and nothing more: no browser shows it to a person who came by our pages.
struct WebRefusal: Error, Hashable {
  var status: WebStatus

  init(_ status: WebStatus) {
    self.status = status
  }
}

/// The answer to a request.
struct WebAnswer: Sendable {
  /// The body that follows the head.
  enum Body: Sendable {
    /// Bytes, whose number the head says.
    case bytes(Data)
    /// Events, each as a whole, until the stream or the connection ends.
    case events(AsyncStream<String>)
  }

  /// The fields that every answer has: nothing is kept, framed, guessed or lent to another origin.
  private static let always: [(String, String)] = [
    ("Connection", "close"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
  ]

  var status: WebStatus
  var fields: [(name: String, value: String)] = []
  var body: Body

  /// Text of a type; without `policy` a browser may do nothing at all with it.
  init(
    _ status: WebStatus, _ text: String, type: String = "text/plain; charset=utf-8",
    policy: String = "default-src 'none'"
  ) {
    self.status = status
    fields = [("Content-Type", type), ("Content-Security-Policy", policy)]
    body = .bytes(Data(text.utf8))
  }

  /// A page whose own style and script carry `nonce`.
  init(_ status: WebStatus = .ok, page: String, nonce: String) {
    let own = "'nonce-\(nonce)'"
    self.init(
      status, page, type: "text/html; charset=utf-8",
      policy: "default-src 'none'; style-src \(own); script-src \(own); connect-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'")
  }

  /// Another address, to be asked for with GET.
  init(seeOther path: String, cookies: [String] = []) {
    self.init(.seeOther, "")
    fields += [("Location", path)] + cookies.map { ("Set-Cookie", $0) }
  }

  /// A page that leads to `path`, for a browser that comes from another site's page: a redirect would count as that site's, and
  /// carry no SameSite=Strict cookie.
  init(leadingTo path: String, cookies: [String]) {
    self.init(
      .ok, "<!doctype html><title>workbench</title><p><a href=\"\(Markup.escaped(path))\">workbench</a></p>\n",
      type: "text/html; charset=utf-8")
    fields += [("Refresh", "0; url=\(path)")] + cookies.map { ("Set-Cookie", $0) }
  }

  /// An event stream.
  init(events: AsyncStream<String>) {
    status = .ok
    fields = [("Content-Type", "text/event-stream; charset=utf-8"), ("Content-Security-Policy", "default-src 'none'")]
    body = .events(events)
  }

  /// The bytes of the head.
  var head: Data {
    var lines = ["HTTP/1.1 \(status.rawValue) \(status.reason)"]
    lines += (fields + Self.always).map { "\($0.0): \($0.1)" }
    if case .bytes(let bytes) = body { lines.append("Content-Length: \(bytes.count)") }
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
