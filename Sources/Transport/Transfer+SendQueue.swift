// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Bytes that the peer acknowledges are progress, as those are that libcurl reads of a body. A server that takes a body slowly
/// but steadily leaves the last of it in the kernel for longer than the idle limit, and libcurl asks for no more meanwhile.
/// On the I/O thread.
extension Transfer {
  /// The bytes in the socket's send queue when it was looked at last: sent, or about to be, and not acknowledged.
  struct SendQueue {
    var bytes: Int32
    var nextLook: Int64
  }

  /// When to look at the transfer again: it may have timed out then, or its peer may have taken something.
  var deadline: Int64? {
    guard isRunning else { return nil }
    guard let look = sendQueue?.nextLook else { return machine.deadline }
    return min(look, machine.deadline ?? look)
  }

  /// libcurl has read a piece of the body. An upload of HTTP/2 shares the queue with others, whose progress is not its own.
  func watchSendQueue() {
    guard sendQueue == nil, connection?.speaksHTTP2 == false, let interval = machine.lookInterval else { return }
    sendQueue = SendQueue(bytes: 0, nextLook: now + interval)
    pool.checkNoLater(than: deadline)
  }

  /// `deadline` is over.
  func deadlineReached() {
    lookAtSendQueue()
    if let limit = machine.deadline, limit <= now { timedOut() } else { pool.checkNoLater(than: deadline) }
  }

  /// Notes progress where the queue has become shorter since the last look. It grows by what libcurl reads alone, which is
  /// progress as well (SIOCOUTQ, tcp(7)).
  private func lookAtSendQueue() {
    guard let queue = sendQueue, queue.nextLook <= now else { return }
    var bytes: Int32 = 0
    guard let socket, let interval = machine.lookInterval, machine.bodyBytes == 0,
      unsafe ioctl(socket, UInt(TIOCOUTQ), &bytes) == 0
    else {
      sendQueue = nil
      return
    }
    if bytes < queue.bytes { machine.moved(now: now) }
    sendQueue = SendQueue(bytes: bytes, nextLook: now + interval)
  }
}
