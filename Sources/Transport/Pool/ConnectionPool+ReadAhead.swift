// SPDX-License-Identifier: Apache-2.0
import CCurl

/// How libcurl gets what OpenSSL has read ahead. On the I/O thread.
extension ConnectionPool {
  private static let recordsPerTurn = 16

  /// A connection took up a record, and may hold more that it has read ahead.
  func readsAhead(_ connection: ReadAhead) {
    readers.append(connection)
  }

  /// Lets libcurl take what connections of HTTP/2 hold; true if it had a turn.
  func readStreams() -> Bool {
    guard mayHaveLeftBytes, !streams.isEmpty else { return false }
    mayHaveLeftBytes = false
    streams.removeAll { !$0.isOpen }
    let sockets = streams.filter(\.holdsBytes).compactMap(\.socket)
    for socket in sockets { actOnSocket(socket, CURL_CSELECT_IN) }
    return !sockets.isEmpty
  }

  /// Lets libcurl take what connections have read ahead, which nothing else would report, as long as it takes
  /// something; after some records others have their turn.
  func readOn() {
    guard !readers.isEmpty else { return }
    // Transfers that end meanwhile are collected in this turn.
    thread.touch(self)
    for _ in 0..<Self.recordsPerTurn {
      guard !readers.isEmpty else { return }
      // The first one that reported: the last one may be the one that had its turn just now.
      let reader = readers.removeFirst()
      reader.isReported = false
      guard reader.holdsBytes, let socket = reader.socket else { continue }
      // It reads when it is resumed.
      if CurlFacts.current.readsWhilePaused, thread.connections.isHeld(on: socket) { continue }
      actOnSocket(socket, CURL_CSELECT_IN)
    }
    guard !readers.isEmpty, !isReadingOnLater else { return }
    isReadingOnLater = true
    thread.post { [self] in
      isReadingOnLater = false
      readOn()
    }
  }
}
