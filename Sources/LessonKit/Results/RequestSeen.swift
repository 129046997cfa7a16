// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// A request as the lesson server saw it.
public struct RequestSeen: Codable, Sendable, Hashable {
  /// The method, as sent.
  public var method: String
  /// Path and query.
  public var target: String
  /// The version that was spoken, such as `HTTP/1.1`.
  public var version: String
  /// The header fields, by their names in lower case.
  public var fields: [String: String]
  /// The lines of its header fields in order, names as they were sent; nil in reports of former versions.
  public var fieldLines: [String]?
  /// Bytes of its body that arrived.
  public var bodyBytes: Int
  /// The checksum of those bytes, in 16 hexadecimal digits.
  public var bodyChecksum: String
  /// The status of the answer, nil where none was sent.
  public var status: Int?
  /// The lines of the answer's head in order, as they were sent, the status line first; nil where none was, and in reports of
  /// former versions.
  public var answerLines: [String]?
  /// Bytes sent in answer, head and framing included.
  public var bytesSent: Int
  /// The Range header, or nil.
  public var range: String?
  /// The number of the connection it came over.
  public var socket: Int
  /// The version of TLS that its connection spoke, such as `TLSv1.3`; nil where it was plain.
  public var tls: String?
  /// When its head was complete, in seconds since the example's start.
  public var began: Double
  /// When the first bytes of its answer were sent, on the same clock; nil where none were, and in reports of former versions.
  public var answered: Double?
  /// When the server was done with it, on the same clock; nil where it never was.
  public var ended: Double?

  /// The path without its query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The request of the server's log, for an example that started at `start` on the log's clock; `socket` carried it.
  init(_ record: RequestRecord, over socket: SocketRecord?, start: Double) {
    method = record.method
    target = record.target
    version = record.version
    fields = Dictionary(record.fields.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    fieldLines = Self.bounded(record.fields.map { "\($0.name): \($0.value)" })
    answerLines = record.answerLines.isEmpty ? nil : Self.bounded(record.answerLines)
    bodyBytes = Int(record.bodyBytes)
    bodyChecksum = BodyDigest.text(of: record.bodyChecksum)
    status = record.status
    bytesSent = Int(record.bytesSent)
    range = record.range
    self.socket = record.socket
    tls = socket?.tls?.version
    began = record.began - start
    answered = record.answered.map { $0 - start }
    ended = record.ended.map { $0 - start }
  }

  /// A report of many requests with long heads has to be read by a person.
  private static func bounded(_ lines: [String]) -> [String] {
    lines.prefix(mostLines).map { $0.count > longestLine ? $0.prefix(longestLine) + "…" : $0 }
      + (lines.count > mostLines ? ["…"] : [])
  }

  private static let (mostLines, longestLine) = (64, 1_000)
}
