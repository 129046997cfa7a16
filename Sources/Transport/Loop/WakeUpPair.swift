// SPDX-License-Identifier: Apache-2.0
import CCurl
import CLinux
import Glibc
import Locking

/// The pair of sockets over which a multi handle is woken (curl_multi_wakeup), closed in children of the process.
///
/// Problem: libcurl 7.88 makes the pair without SOCK_CLOEXEC, asks no callback of ours, and names neither end. Choice: of the
/// Unix sockets that a child would inherit, the pair's two are empty, hold one byte after a wake-up, and are empty once that
/// was taken. Later versions use an eventfd(2) that is close-on-exec; then there is nothing to find. A child that another
/// thread starts between the making and the marking still inherits the pair, which leads nowhere outside of the process.
enum WakeUpPair {
  private struct Ends {
    var empty: Set<Int32> = []
    var readable: Set<Int32> = []
    var unread: Set<Int32> = []

    mutating func note(_ socket: Int32, unread: Int32, unsent: Int32) {
      switch (unread, unsent) {
      case (0, 0): empty.insert(socket)
      case (1, 0): readable.insert(socket)
      case (0, 1...): self.unread.insert(socket)
      default: break
      }
    }
  }

  /// One at a time: two pairs that are woken together could not be told apart. A number, since ThreadSanitizer takes the mutex for
  /// a state without size.
  private static let turn = Locked(0)

  /// Marks both ends of a new handle's pair. A socket of the program's that fills and empties in the same moment makes the
  /// answer ambiguous: then it is asked once more, and nothing is marked in the end.
  static func closeInChildren(_ multi: UnsafeMutableRawPointer) {
    turn.withLock { _ in
      for _ in 0..<3 {
        let before = inherited().empty
        guard !before.isEmpty, unsafe curl_multi_wakeup(multi) == CURLM_OK else { return }
        let woken = inherited()
        unsafe curl_multi_poll(multi, nil, 0, 0, nil)
        let after = before.intersection(inherited().empty)
        let (readable, unread) = (woken.readable.intersection(after), woken.unread.intersection(after))
        guard readable.count == 1, unread.count == 1 else { continue }
        for socket in readable.union(unread) { closeInChildren(socket) }
        return
      }
    }
  }

  /// Marks one descriptor close-on-exec.
  static func closeInChildren(_ socket: Int32) {
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
  }

  private static func inherited() -> Ends {
    var ends = Ends()
    unsafe withUnsafeMutablePointer(to: &ends) { ends in
      unsafe workbench_visit_inherited_sockets(
        { context, socket, unread, unsent in
          unsafe context?.assumingMemoryBound(to: Ends.self).pointee.note(socket, unread: unread, unsent: unsent)
        }, unsafe ends)
    }
    return ends
  }
}
