// SPDX-License-Identifier: Apache-2.0

/// How much of one long body arrived since the thread slept, and so whether its connection is fast. On the I/O thread.
struct Burst {
  private let socket: Int32
  private let length: Int64
  private var bytes = 0
  private var waits = 0

  /// Nil for bodies that are too short, or of unknown length, whose end would be noticed late; and over HTTP/2,
  /// where a connection is not the body's alone.
  init?(of head: ResponseHead, on socket: Int32?) {
    guard let socket, let length = head.contentLength, length > 16 * ReceiveCoalescing.amount,
      head.version != "HTTP/2"
    else { return nil }
    (self.socket, self.length) = (socket, length)
  }

  /// So many bytes arrived, and `total` in all.
  mutating func add(_ count: Int, of total: Int64, on thread: IOThread) {
    if waits != thread.waits { (bytes, waits) = (0, thread.waits) }
    let before = bytes
    bytes += count
    if length - total < 2 * ReceiveCoalescing.amount {
      thread.coalescing.stopGathering(socket)
    } else if before < ReceiveCoalescing.amount, bytes >= ReceiveCoalescing.amount {
      thread.coalescing.isFast(socket)
    }
  }
}
