// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A connected socket of 127.0.0.1 with blocking calls, for what a test serves by hand. Of one thread.
final class Loopback {
  private let descriptor: Int32
  private let isOwn: Bool
  private var waiting: [UInt8] = []

  /// Over a descriptor that its owner closes.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isOwn = false
  }

  /// Connects; nil when nobody listens on `port`.
  init?(to port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    isOwn = true
    var address = Self.address(port)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { return nil }
  }

  deinit {
    if isOwn { close(descriptor) }
  }

  /// A listening socket on a port that the system chooses.
  static func listen() -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = Self.address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        _ = bind(descriptor, general, size)
        _ = Glibc.listen(descriptor, 64)
        _ = getsockname(descriptor, general, &size)
      }
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  // MARK: Reading; nil at the end of the connection

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { return false }
    waiting += piece.prefix(count)
    return true
  }

  /// The next byte, which stays.
  func peek() -> UInt8? {
    while waiting.isEmpty { guard fill() else { return nil } }
    return waiting[0]
  }

  /// So many bytes.
  func bytes(_ count: Int) -> [UInt8]? {
    while waiting.count < count { guard fill() else { return nil } }
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }

  /// All bytes up to the end of the connection.
  func rest() -> [UInt8] {
    while fill() {}
    defer { waiting = [] }
    return waiting
  }

  /// A message's head with its empty line.
  func head() -> String? {
    while true {
      if let end = waiting.firstRange(of: [13, 10, 13, 10]) {
        defer { waiting.removeSubrange(..<end.upperBound) }
        return String(decoding: waiting[..<end.upperBound], as: UTF8.self)
      }
      guard fill() else { return nil }
    }
  }

  // MARK: Writing

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Says that nothing more will be sent, and reads to the end: a connection closed with bytes unread is reset, and
  /// the reset can overtake what was sent (RFC 9112 section 9.6).
  func drain() {
    shutdown(descriptor, Int32(SHUT_WR))
    repeat { waiting = [] } while fill()
  }

  /// Hands on what comes, both ways, until one side has ended.
  func relay(with other: Loopback) {
    other.send(waiting)
    waiting = []
    while true {
      var both = [descriptor, other.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&both, 2, -1) > 0 else {
        if errno == EINTR { continue }
        return
      }
      for (index, (from, to)) in [(self, other), (other, self)].enumerated() where both[index].revents != 0 {
        guard from.fill() else { return }
        to.send(from.waiting)
        from.waiting = []
      }
    }
  }
}
