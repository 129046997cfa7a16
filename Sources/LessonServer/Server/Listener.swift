// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// The listening socket, the thread that accepts, and the list of live connections.
///
/// Threads end in a chain: each joins the one that ended before it, and `stop` joins the last. So all are joined, and
/// at any time only one ended thread keeps its stack.
final class Listener: Sendable {
  private struct State {
    var socket: CInt = -1
    var port: UInt16 = 0
    var isStopping = false
    var live: [Int: CInt] = [:]
    var threads = 0
    var lastEnded: pthread_t?
    var acceptor: pthread_t?
  }

  private let context: ServerContext
  private let state = Monitor(State())

  init(context: ServerContext) {
    self.context = context
  }

  var port: UInt16 { state.withLock { $0.port } }

  // MARK: - Start

  /// Listens on 127.0.0.1 and returns; a second call does nothing.
  func start(port wanted: UInt16, tls: TLSContext?) throws(LessonServerError) {
    guard state.withLock({ $0.socket < 0 }) else { return }
    let socket = try ListeningSocket.open(port: wanted)
    guard let acceptor = ServerThread.start({ [self] in accept(from: socket.descriptor, tls) }) else {
      close(socket.descriptor)
      throw .cannotListen("pthread_create", EAGAIN)
    }
    state.withLock { state in
      state.socket = socket.descriptor
      state.port = socket.port
      state.isStopping = false
      state.acceptor = acceptor
    }
  }

  // MARK: - Accept

  private func accept(from socket: CInt, _ tls: TLSContext?) {
    while true {
      let descriptor = workbench_accept(socket)
      if descriptor >= 0 {
        serve(descriptor, tls)
      } else if errno == EINVAL || errno == EBADF {
        // stop() has shut the socket down.
        return
      } else if errno != EINTR, errno != ECONNABORTED {
        // Out of descriptors or memory, most likely: only the end of a connection makes room.
        let before = state.withLock { $0.live.count }
        _ = state.wait(within: .milliseconds(100)) { $0.isStopping || $0.live.count < before }
      }
    }
  }

  private func serve(_ descriptor: CInt, _ tls: TLSContext?) {
    var on: CInt = 1
    setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
    let id = context.log.socketOpened()
    let isWelcome = state.withLock { state in
      guard !state.isStopping else { return false }
      state.live[id] = descriptor
      state.threads += 1
      return true
    }
    guard isWelcome else {
      close(descriptor)
      return context.log.socketClosed(id)
    }
    let thread = ServerThread.start { [self] in
      Connection(id: id, descriptor: descriptor, tls: tls, context: context).run()
      ended(id, descriptor, thread: pthread_self())
    }
    if thread == nil { ended(id, descriptor, thread: nil) }
  }

  private func ended(_ id: Int, _ descriptor: CInt, thread: pthread_t?) {
    // Closed under the lock, because stop() shuts down what is in the list.
    state.withLock { state in
      state.live[id] = nil
      close(descriptor)
    }
    context.log.socketClosed(id)
    let previous = state.withLock { state in
      state.threads -= 1
      guard let thread else { return pthread_t?.none }
      defer { state.lastEnded = thread }
      return state.lastEnded
    }
    if let previous { pthread_join(previous, nil) }
  }

  // MARK: - Stop

  /// Closes the listening socket and every connection and joins all threads; does nothing when nothing runs.
  func stop() {
    let (socket, acceptor) = state.withLock { state in
      state.isStopping = true
      for descriptor in state.live.values { shutdown(descriptor, CInt(SHUT_RDWR)) }
      defer { state.acceptor = nil }
      return (state.socket, state.acceptor)
    }
    if let acceptor {
      shutdown(socket, CInt(SHUT_RDWR))
      pthread_join(acceptor, nil)
      close(socket)
    }
    _ = state.wait(within: nil) { $0.threads == 0 }
    let last = state.withLock { state in
      defer { state.lastEnded = nil }
      state.socket = -1
      return state.lastEnded
    }
    if let last { pthread_join(last, nil) }
  }
}
