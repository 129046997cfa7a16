// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// A request as the lesson server saw it.
public struct RequestSeen: Sendable, Hashable {
  /// Path and query.
  public var target: String
  /// The status of the answer, nil where none was sent.
  public var status: Int?
  /// The Range header, or nil.
  public var range: String?
  /// The number of the connection it came over.
  public var socket: Int
  /// When its head was complete, in seconds since the example's start.
  public var began: Double

  /// The request of the server's log, for an example that started at `start` on the log's clock.
  init(_ record: RequestRecord, start: Double) {
    target = record.target
    status = record.status
    range = record.range
    socket = record.socket
    began = record.began - start
  }
}
