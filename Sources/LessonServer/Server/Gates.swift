// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Locking

/// Named gates at which scripts wait until a test opens them.
///
/// Each waiting thread owns a pipe, because it must notice its client's close at the same time, which only poll can.
final class Gates: Sendable {
  private struct Gate {
    var isOpen = false
    var waiting: [CInt] = []
  }

  private let gates = Locked<[String: Gate]>([:])

  /// Lets through all that wait here and all that come later.
  func open(_ name: String) {
    let waiting = gates.withLock { gates in
      let waiting = gates[name]?.waiting ?? []
      gates[name] = Gate(isOpen: true)
      return waiting
    }
    for end in waiting { close(end) }
  }

  /// Waits on a connection's thread; false when the connection ended before the gate opened.
  func wait(_ name: String, on wire: borrowing Wire) -> Bool {
    var ends: [CInt] = [-1, -1]
    guard workbench_pipe(&ends) == 0 else { return false }
    defer { close(ends[0]) }
    let writeEnd = ends[1]
    let isOpen = gates.withLock { gates in
      if gates[name]?.isOpen == true { return true }
      gates[name, default: Gate()].waiting.append(writeEnd)
      return false
    }
    if isOpen {
      close(writeEnd)
      return true
    }
    if wire.waitForPeerToClose(orReadable: ends[0]) { return true }
    // The thread that takes the end out of the list closes it, so that it is closed once.
    let mine = gates.withLock { gates in
      guard let place = gates[name]?.waiting.firstIndex(of: writeEnd) else { return false }
      gates[name]?.waiting.remove(at: place)
      return true
    }
    if mine { close(writeEnd) }
    return false
  }
}
