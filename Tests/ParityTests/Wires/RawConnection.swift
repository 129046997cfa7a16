// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Locking

@testable import LessonServer

/// One connection of a `RawServer`. Any thread may give it orders; its own thread carries them out, one after the other.
final class RawConnection: Sendable {
  private enum Order {
    case bytes([UInt8])
    case end(Ending)
  }

  private struct State {
    var orders: [Order] = []
    /// The end of a pipe that wakes the thread; nil when the connection is over.
    var bell: CInt?
    var isSpoiled = false
  }

  /// Its number, in the order in which the server took them, from 1 on.
  let number: Int
  private let listening: CInt
  private let state: Locked<State>

  init(_ number: Int) {
    self.number = number
    var ends: [CInt] = [-1, -1]
    _ = workbench_pipe(&ends)
    listening = ends[0]
    state = Locked(State(bell: ends[1]))
  }

  deinit {
    close(listening)
    if let bell = state.withLock({ $0.bell.take() }) { close(bell) }
  }

  /// True if the test has broken a rule here.
  var isSpoiled: Bool { state.withLock { $0.isSpoiled } }

  /// True if it is over.
  var isOver: Bool { state.withLock { $0.bell == nil } }

  /// Notes that the test breaks a rule here.
  func spoil() {
    state.withLock { $0.isSpoiled = true }
  }

  /// Sends bytes, over TLS in one record if they are no more than 16 KiB.
  func send(_ bytes: [UInt8]) { order(.bytes(bytes)) }

  /// Ends the connection; orders that follow are dropped.
  func end(_ ending: Ending) { order(.end(ending)) }

  private func order(_ order: Order) {
    state.withLock { state in
      guard let bell = state.bell else { return }
      state.orders.append(order)
      var byte: UInt8 = 0
      _ = write(bell, &byte, 1)
    }
  }

  // MARK: - Its thread

  func run(_ wire: consuming Wire, _ player: any RawPlayer) {
    let ending = converse(wire, player)
    if let bell = state.withLock({ $0.bell.take() }) { close(bell) }
    player.ended()
    switch ending {
    case nil, .abruptClose: break
    case .rst: wire.resetOnClose()
    case .fin, .bareFin, .halfClose:
      if ending != .bareFin { wire.sayCloseNotify() }
      wire.endSending()
      // A connection that is closed with bytes unread is reset, and the reset may overtake what was sent.
      wire.drain(atMost: .seconds(2))
    }
  }

  /// Reads and obeys until the end, and returns the one that was ordered.
  private func converse(_ wire: borrowing Wire, _ player: any RawPlayer) -> Ending? {
    var room = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      if let ending = obey(wire) { return ending }
      guard waitForBytes(wire) else { continue }
      let count = room.withUnsafeMutableBytes { wire.receive($0) }
      guard count > 0 else { return nil }
      player.received(Array(room.prefix(count)))
    }
  }

  /// Carries out all orders; the ending among them, if there is one.
  private func obey(_ wire: borrowing Wire) -> Ending? {
    while true {
      let next = state.withLock { $0.orders.isEmpty ? nil : $0.orders.removeFirst() }
      switch next {
      case nil: return nil
      case .end(let ending): return ending
      case .bytes(let bytes):
        var sent = 0
        while sent < bytes.count {
          let count = bytes[sent...].withUnsafeBytes { wire.send($0) }
          guard count > 0 else { return .abruptClose }
          sent += count
        }
      }
    }
  }

  /// Waits for bytes of the client's (true) or for orders (false).
  private func waitForBytes(_ wire: borrowing Wire) -> Bool {
    if wire.waitForBytes(milliseconds: 0) != false { return true }
    var both = [wire.descriptor, listening].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&both, 2, -1) > 0 else { return false }
    if both[1].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      _ = read(listening, &bytes, bytes.count)
    }
    return both[0].revents != 0
  }
}
