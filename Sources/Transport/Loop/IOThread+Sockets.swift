// SPDX-License-Identifier: Apache-2.0
import CLinux

/// Which sockets the kernel watches, on the I/O thread.
extension IOThread {
  /// Notes the events that libcurl wants to know of `socket`; 0 for none.
  func want(_ events: UInt32, of socket: Int32, pool: UInt32) {
    guard socket >= 0 else { return }
    let index = Int(socket)
    makeRoom(for: index)
    if sockets[index].pool != pool { sockets[index].watched = 0 }
    sockets[index].pool = pool
    sockets[index].wanted = events
    if !sockets[index].isConnection { return wantPassing(events, of: index) }
    if events != 0, events != sockets[index].watched { watch(socket, events) }
  }

  /// The socket of a lookup, which its maker closes without a callback once libcurl wants it no more: its end unknown, the next
  /// socket of its number would pass for watched. libcurl makes it inheritable; its peer, which the lookup's thread writes to,
  /// is not to be seen from here, and stays so for as long as the lookup lasts.
  private func wantPassing(_ events: UInt32, of index: Int) {
    if events == 0 {
      if sockets[index].watched != 0 { epoll?.forget(Int32(index)) }
      sockets[index].watched = 0
    } else if events != sockets[index].watched {
      WakeUpPair.closeInChildren(Int32(index))
      watch(Int32(index), events)
    }
  }

  /// A connection begins to be made on `socket`.
  func socketOpens(_ socket: Int32) {
    guard socket >= 0 else { return }
    makeRoom(for: Int(socket))
    sockets[Int(socket)].isConnection = true
  }

  /// True if `socket` is that of a connection, and was not closed.
  func isOpen(_ socket: Int32) -> Bool { Int(socket) < sockets.count && sockets[Int(socket)].isConnection }

  /// Returns the events that the kernel is asked to tell of `socket`; 0 for none.
  func watchedEvents(of socket: Int32) -> UInt32 { Int(socket) < sockets.count ? sockets[Int(socket)].watched : 0 }

  private func makeRoom(for index: Int) {
    guard index >= sockets.count else { return }
    sockets.append(contentsOf: repeatElement(Socket(), count: index + 64 - sockets.count))
  }

  /// `socket` is about to be closed. That alone does not end its watching where a child of the process holds it, too (epoll(7),
  /// questions and answers, 6), and the next socket has its number.
  func socketCloses(_ socket: Int32) {
    uploads.removeValue(forKey: socket)?.connectionCloses(socket)
    connections.forget(socket)
    coalescing.forget(socket)
    guard socket >= 0, Int(socket) < sockets.count else { return }
    if sockets[Int(socket)].watched != 0 { epoll?.forget(socket) }
    sockets[Int(socket)] = Socket()
  }

  private func watch(_ socket: Int32, _ events: UInt32) {
    let index = Int(socket)
    let key = UInt64(UInt32(bitPattern: socket)) | UInt64(sockets[index].pool) << 32
    let isKnown = sockets[index].watched != 0
    sockets[index].watched = epoll?.watch(socket, for: events, key: key, isKnown: isKnown) == true ? events : 0
  }
}
