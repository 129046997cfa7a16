// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// One connection to a site, spoken byte by byte, with blocking calls on a thread of its own.
final class Visitor: Sendable {
  private let descriptor: Int32

  /// Connects to 127.0.0.1, or to ::1; nil where nobody listens. A `slow` one takes two kilobytes before it is read from.
  init?(_ port: UInt16, slow: Bool = false, overIPv6: Bool = false) {
    let family = overIPv6 ? AF_INET6 : AF_INET
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if slow {
      // The kernel's least, which it doubles; said before the connection begins.
      var room: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    }
    guard overIPv6 ? Self.connect6(descriptor, port) : Self.connect4(descriptor, port) else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  private static func connect4(_ descriptor: Int32, _ port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return connect(descriptor, to: address)
  }

  private static func connect6(_ descriptor: Int32, _ port: UInt16) -> Bool {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return connect(descriptor, to: address)
  }

  private static func connect<Address>(_ descriptor: Int32, to address: Address) -> Bool {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
  }

  /// Ends the connection from this side.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sends all of it, as far as the other side takes it.
  func send(_ bytes: [UInt8]) async {
    await onThread { [descriptor] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// What comes until `isEnough` says so of all of it, or the connection ends.
  func read(until isEnough: @escaping @Sendable (String) -> Bool = { _ in false }) async -> String {
    await onThread { [descriptor] in
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 16 << 10)
      while !isEnough(String(decoding: bytes, as: UTF8.self)) {
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { break }
        bytes += piece.prefix(count)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: body()) }
    }
  }
}
