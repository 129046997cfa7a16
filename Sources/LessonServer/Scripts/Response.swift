// SPDX-License-Identifier: Apache-2.0

/// A well-formed response; what is malformed is written as raw bytes.
public struct Response: Sendable {
  /// Where the body comes from.
  public enum Body: Sendable {
    /// No body.
    case none
    /// These bytes.
    case bytes([UInt8])
    /// This half-open range of the stream of this seed.
    case seeded(seed: UInt64, range: Range<Int64>)
  }

  /// How the receiver finds the end of the body (RFC 9112 section 6).
  public enum Framing: Sendable {
    /// By Content-Length.
    case length
    /// By chunks of this many bytes.
    case chunked(Int)
    /// By the end of the connection.
    case untilClose
  }

  /// The status code.
  public var status: Int
  /// The reason phrase.
  public var reason: String
  /// Header fields beside those of the framing.
  public var fields: [HeaderField]
  /// The body; left out by itself where the request was HEAD.
  public var body: Body
  /// How the response marks the end of its body.
  public var framing: Framing

  /// A response; without `reason` the usual phrase is taken.
  public init(
    _ status: Int = 200, reason: String? = nil, fields: [HeaderField] = [], body: Body = .none,
    framing: Framing = .length
  ) {
    self.status = status
    self.reason = reason ?? Self.phrases[status] ?? "Status"
    self.fields = fields
    self.body = body
    self.framing = framing
  }

  /// A response with this text as its body, in UTF-8.
  public static func text(_ text: String, _ status: Int = 200, type: String = "text/plain") -> Response {
    Response(status, fields: [HeaderField("Content-Type", type)], body: .bytes(Array(text.utf8)))
  }

  /// Status line, header fields and the empty line.
  public var head: [UInt8] {
    var text = "HTTP/1.1 \(status) \(reason)\r\n"
    for field in fields { text += "\(field.name): \(field.value)\r\n" }
    switch framing {
    case .length: if mayHaveBody { text += "Content-Length: \(bodyLength)\r\n" }
    case .chunked: text += "Transfer-Encoding: chunked\r\n"
    case .untilClose: text += "Connection: close\r\n"
    }
    return Array((text + "\r\n").utf8)
  }

  /// RFC 9110 section 6.4.1: these never have content.
  var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }

  package var bodyLength: Int64 {
    switch body {
    case .none: 0
    case .bytes(let bytes): Int64(bytes.count)
    case .seeded(_, let range): Int64(range.count)
    }
  }

  private static let phrases: [Int: String] = [
    100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 416: "Range Not Satisfiable",
    417: "Expectation Failed", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout",
  ]
}
