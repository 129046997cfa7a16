// SPDX-License-Identifier: Apache-2.0
import FlyingSocks
import Glibc
import Locking

/// The connections that are open, and who has to go when there are too many.
///
/// Problem: a client can open connections and send nothing, until the server has no descriptor for other clients.
/// Choice: there is a most; the connection that has been silent for longest goes first, and one that has said its request never
/// goes. A connection that sent no valid request stays silent, also while
/// the server drains the rest of it.
final class WebPlaces: Sendable {
  /// The most connections at once.
  static let most = 64

  private struct State {
    var next = 0
    /// Those that have not said their request yet, oldest first.
    var silent: [(number: Int, socket: Socket)] = []
    /// Those that have.
    var busy: [Int: Socket] = [:]
  }

  private let state = Locked(State())

  /// Takes a connection in, and ends the oldest silent one for it where there is no place. Nil where all are busy.
  func enter(_ socket: Socket) -> Int? {
    state.withLock { state in
      if state.silent.count + state.busy.count >= Self.most {
        guard !state.silent.isEmpty else { return nil }
        // Its reader finds the end and closes the socket; until then no other socket has this number.
        shutdown(state.silent.removeFirst().socket.file.rawValue, Int32(SHUT_RDWR))
      }
      state.next += 1
      state.silent.append((state.next, socket))
      return state.next
    }
  }

  /// The connection has said its request. False where it had to go before.
  func hasSpoken(_ number: Int) -> Bool {
    state.withLock { state in
      guard let index = state.silent.firstIndex(where: { $0.number == number }) else { return false }
      state.busy[number] = state.silent.remove(at: index).socket
      return true
    }
  }

  /// Closes the connection, and only then forgets it.
  func leave(_ number: Int, _ socket: Socket) {
    state.withLock { state in
      state.silent.removeAll { $0.number == number }
      state.busy[number] = nil
      try? socket.close()
    }
  }

  /// How many connections there are.
  var count: Int { state.withLock { $0.silent.count + $0.busy.count } }
}
