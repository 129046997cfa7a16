// SPDX-License-Identifier: Apache-2.0
import FlyingSocks
import Glibc
import LessonKit

/// The sockets that listen: 127.0.0.1, and ::1 on the same port where this machine has it and it is free.
struct WebListener: Sendable {
  /// The port, the same in both families.
  let port: UInt16
  let sockets: [Socket]

  /// Listens on `port`, or on one that the system chooses for 0.
  ///
  /// - Throws: `LessonKitError` with code `environment`; its sentence names the cure.
  init(port: UInt16) throws(LessonKitError) {
    do {
      let first = try Self.listen(.inet(ip4: "127.0.0.1", port: port))
      guard case .ip4(_, let chosen) = try first.sockname() else { throw SocketError.unsupportedAddress }
      self.port = chosen
      let second = try? Self.listen(.inet6(ip6: "::1", port: chosen))
      sockets = [first] + (second.map { [$0] } ?? [])
    } catch {
      throw Self.sentence(error, port)
    }
  }

  private static func listen(_ address: some SocketAddress) throws -> Socket {
    let socket = try Socket(domain: Int32(type(of: address).family), type: .stream)
    do {
      closeOnExec(socket)
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: address)
      try socket.listen(maxPendingConnection: 64)
      return socket
    } catch {
      try? socket.close()
      throw error
    }
  }

  /// Keeps a child from holding the socket open.
  static func closeOnExec(_ socket: Socket) { _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC) }

  private static func sentence(_ error: any Error, _ port: UInt16) -> LessonKitError {
    guard case SocketError.failed(_, let number, let message) = error else {
      return LessonKitError(
        .environment,
        "The loopback address of this machine cannot be listened on. Switch it on with: sudo ip link set lo up")
    }
    switch number {
    case EADDRINUSE:
      return LessonKitError(
        .environment, "Port \(port) is taken by another program. Leave --port away, or name another port.")
    case EACCES:
      return LessonKitError(
        .environment, "Port \(port) is kept for the system. Leave --port away, or name one from 1024 on.")
    default:
      return LessonKitError(.environment, "Port \(port) of 127.0.0.1 cannot be listened on: \(message).")
    }
  }
}
