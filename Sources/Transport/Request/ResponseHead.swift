// SPDX-License-Identifier: Apache-2.0
public import HTTPRules

/// The status line and the fields of a response, judged to be well formed.
public struct ResponseHead: Sendable, Hashable {
  /// The status code, 100 to 999.
  public var status: Int
  /// The version as Foundation spells it: "HTTP/1.0", "HTTP/1.1" or "HTTP/2".
  public var version: String
  /// The fields in the order of arrival. Folded lines are joined with one space (RFC 9112 section 5.2).
  public var fields: [HeaderField]
  /// The length that the message's framing promises, in bytes before decoding; nil when it is not known beforehand.
  public var contentLength: Int64?
  /// The codings of the body that the transport takes off again, in the order in which they were applied; empty when
  /// the body is delivered as it comes.
  public var decodedCodings: [ContentCoding]

  /// The value of the first field with that name, compared without regard to case.
  public func value(of name: String) -> String? {
    fields.first { $0.isNamed(name) }?.value
  }
}

/// A content coding that the transport can take off (RFC 9110 section 8.4.1).
public enum ContentCoding: String, Sendable, Hashable {
  /// RFC 1952; also known as `x-gzip`.
  case gzip
  /// RFC 1950, or, as many servers send it, the bare stream of RFC 1951.
  case deflate
  /// RFC 7932.
  case brotli = "br"

  init?(token: String) {
    switch token.lowercased() {
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    case "br": self = .brotli
    default: return nil
    }
  }
}
