// SPDX-License-Identifier: Apache-2.0

/// One header field, its bytes read as Latin-1, so that nothing is lost whatever they are.
public struct HeaderField: Sendable, Codable, Hashable {
  /// The name as it was sent.
  public var name: String
  /// The value without the spaces around it.
  public var value: String

  /// A field of this name and value.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The agreement of a connection's TLS handshake, or the reason why it failed.
public struct TLSRecord: Sendable, Codable, Hashable {
  /// The version, such as `TLSv1.3`.
  public var version: String?
  /// The protocol chosen by ALPN, or nil.
  public var protocolName: String?
  /// The common name in the client's certificate, or nil where it showed none.
  public var clientName: String?
  /// True if an earlier session was taken up again.
  public var resumed: Bool?
  /// OpenSSL's words for what went wrong, or nil; a client that refuses a certificate is seen here.
  public var failure: String?
}

/// The lesson server's record of one connection.
public struct SocketRecord: Sendable, Codable, Hashable {
  /// Counts from 1 in the order in which connections were accepted.
  public var id: Int
  /// When it was accepted, in seconds of CLOCK_MONOTONIC.
  public var opened: Double
  /// When the server was done with it, or nil while it lives.
  public var closed: Double?
  /// Its TLS handshake, once over; nil on a plain connection.
  public var tls: TLSRecord?
  /// How many requests the server has read from it so far.
  public var requests: Int
}

/// The lesson server's record of one request, and of the answer it sent back.
public struct RequestRecord: Sendable, Codable, Hashable {
  /// Counts from 1 in the order in which request heads were complete.
  public var id: Int
  /// The connection that carried it.
  public var socket: Int
  /// The version that was spoken, such as `HTTP/1.1` or `HTTP/2`.
  public var version: String
  /// The method, as sent.
  public var method: String
  /// Path and query, as sent.
  public var target: String
  /// All header fields in order, as sent.
  public var fields: [HeaderField]
  /// Body bytes received, after removing the chunked coding.
  public var bodyBytes: Int64
  /// The `BodyChecksum` of the body bytes received.
  public var bodyChecksum: UInt64
  /// The status of the last response head sent, or nil where none was.
  public var status: Int?
  /// The lines of the answer's head in order, as sent, the status line first; of interim answers none. Empty where none was
  /// sent, and until the answer has ended.
  public var answerLines: [String]
  /// Bytes written to the connection for this request, heads and framing included (over HTTP/2 the body's alone); 0
  /// until the answer has ended.
  public var bytesSent: Int64
  /// When its head was complete, in seconds of CLOCK_MONOTONIC.
  public var began: Double
  /// When the first bytes of its answer were sent, on the same clock; an interim answer is none. Nil where none were, and
  /// until the answer has ended.
  public var answered: Double?
  /// When the server was done with it, or nil while it works on it.
  public var ended: Double?

  /// The value of its Range field, or nil.
  public var range: String? { self["Range"] }

  /// The value of the first field of this name, in whatever case, or nil.
  public subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The lesson server's log at one moment; it travels between processes as JSON.
public struct ServerLogSnapshot: Sendable, Codable, Hashable {
  /// Connections, by id.
  public var sockets: [SocketRecord]
  /// Requests, by id.
  public var requests: [RequestRecord]
  /// Requests that were counted but not kept, because the log was full.
  public var requestsNotKept: Int
  /// The bytes sent over all connections up to now, before encryption, by time.
  public var sent: SentMarks
  /// All bytes sent over all connections up to now, before encryption.
  public var bytesSent: Int64 { sent.marks.last?.bytes ?? 0 }

  /// The requests whose path is this one, whatever their query.
  public func requests(for path: String) -> [RequestRecord] {
    requests.filter { $0.target == path || $0.target.hasPrefix(path + "?") }
  }
}
