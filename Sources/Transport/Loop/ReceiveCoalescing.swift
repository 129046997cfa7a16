// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Lets the kernel gather the bytes of fast connections before it wakes the thread (SO_RCVLOWAT, socket(7)), as network
/// cards coalesce their interrupts.
///
/// A thread that keeps up with a fast server sleeps and is woken for every few segments, which costs more than copying
/// them. So a connection that brought much between two sleeps is fast, and wakes the thread when as much has arrived again, at
/// the latest after two milliseconds; then it counts as slow until it brings much again. While the thread is awake no
/// connection gathers, for libcurl asks the kernel whether there is more. It belongs to the I/O thread.
struct ReceiveCoalescing {
  /// The amount that is gathered, in bytes, and that makes a connection fast. Less wakes the thread more often; with
  /// more the load would pause in the midst of it, for 1 MiB is all that may wait for a delegate.
  static let amount = 896 * 1024
  /// How long is waited for it, in nanoseconds.
  static let longestDelay: Int64 = 2_000_000

  /// The fast connections' sockets, and since when the kernel gathers; nil while it does not.
  private var sockets: [Int32: Int64?] = [:]

  /// True if no connection is fast, and there is nothing to do.
  var isEmpty: Bool { sockets.isEmpty }

  /// The connection has brought much.
  mutating func isFast(_ socket: Int32) {
    if sockets[socket] == nil { sockets[socket] = .some(nil) }
  }

  /// The connection is not to gather any more: its body is about to end.
  mutating func stopGathering(_ socket: Int32) {
    guard let since = sockets.removeValue(forKey: socket), since != nil else { return }
    Self.gather(1, on: socket)
  }

  /// The socket is about to be closed.
  mutating func forget(_ socket: Int32) {
    sockets[socket] = nil
  }

  /// The thread is about to sleep.
  mutating func beforeWait(now: Int64) {
    for (socket, since) in sockets where since == nil {
      Self.gather(Self.amount, on: socket)
      sockets[socket] = now
    }
  }

  /// The socket has an event.
  mutating func hasEvent(_ socket: Int32) {
    guard let since = sockets[socket], since != nil else { return }
    Self.gather(1, on: socket)
    sockets[socket] = .some(nil)
  }

  /// Connections that have not brought enough in time are slow.
  mutating func expire(now: Int64) {
    for (socket, since) in sockets {
      if let since, now - since >= Self.longestDelay { stopGathering(socket) }
    }
  }

  /// Where the kernel refuses, it continues to wake the thread for every byte.
  private static func gather(_ amount: Int, on socket: Int32) {
    var value = Int32(clamping: amount)
    unsafe setsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
