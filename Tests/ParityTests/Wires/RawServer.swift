// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import TestSupport

@testable import LessonServer

/// The test's part on one connection of a `RawServer`, called on the thread of that connection alone.
protocol RawPlayer: AnyObject {
  /// The client has sent these bytes.
  func received(_ bytes: [UInt8])

  /// The connection is over.
  func ended()
}

/// A server of raw bytes on 127.0.0.1, plain or over TLS: a test decides about every one of them, and when it leaves.
///
/// The lesson server's scripts belong to one request each. Here an event on one connection may be the cause of bytes on
/// another, and frames of HTTP/2 may be wrong in every way.
final class RawServer: Sendable {
  private struct State {
    var live: [Int: CInt] = [:]
    var count = 0
    var isStopping = false
  }

  /// The port that the system has chosen.
  let port: Int
  /// True if it speaks TLS.
  let isSecure: Bool
  private let descriptor: CInt
  private let state = Monitor(State())

  /// Listens at once. With `protocols` it speaks TLS, and names the first of them that the client offers.
  init(tls protocols: [String]? = nil, play: @escaping @Sendable (RawConnection) -> any RawPlayer) throws {
    let settings = protocols.map { TLSSettings(authority: TestAuthority.shared, protocols: $0) }
    let tls = try settings.map { try TLSContext($0) }
    let socket = try ListeningSocket.open(port: 0)
    (descriptor, port, isSecure) = (socket.descriptor, Int(socket.port), tls != nil)
    let acceptor = ServerThread.start { [state] in
      pthread_detach(pthread_self())
      Self.accept(from: socket.descriptor, state, tls, play)
    }
    guard acceptor != nil else {
      close(socket.descriptor)
      throw POSIXError(.EAGAIN)
    }
  }

  deinit {
    stop()
  }

  /// The address of a path.
  func url(_ path: String) -> String {
    isSecure ? "https://localhost:\(port)\(path)" : "http://127.0.0.1:\(port)\(path)"
  }

  /// Ends the listening and every connection.
  func stop() {
    state.withLock { state in
      guard !state.isStopping else { return }
      state.isStopping = true
      shutdown(descriptor, CInt(SHUT_RDWR))
      for descriptor in state.live.values { shutdown(descriptor, CInt(SHUT_RDWR)) }
    }
    _ = state.wait(within: .seconds(TestMachine.patience)) { $0.live.isEmpty }
  }

  // MARK: - Threads

  private static func accept(
    from listener: CInt, _ state: Monitor<State>, _ tls: TLSContext?,
    _ play: @escaping @Sendable (RawConnection) -> any RawPlayer
  ) {
    defer { close(listener) }
    while true {
      let client = workbench_accept(listener)
      guard client >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      var on: CInt = 1
      setsockopt(client, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
      let number = state.withLock { state -> Int? in
        guard !state.isStopping else { return nil }
        state.count += 1
        state.live[state.count] = client
        return state.count
      }
      guard let number else {
        close(client)
        return
      }
      let thread = ServerThread.start {
        pthread_detach(pthread_self())
        serve(client, number, tls, play)
        ended(client, number, state)
      }
      if thread == nil { ended(client, number, state) }
    }
  }

  private static func serve(
    _ client: CInt, _ number: Int, _ tls: TLSContext?, _ play: (RawConnection) -> any RawPlayer
  ) {
    let wire = Wire(descriptor: client, tls: tls?.makeConnection(over: client))
    if let record = wire.shakeHands(), record.failure != nil { return }
    let connection = RawConnection(number)
    connection.run(wire, play(connection))
  }

  private static func ended(_ client: CInt, _ number: Int, _ state: Monitor<State>) {
    state.withLock { state in
      state.live[number] = nil
      close(client)
    }
  }
}
