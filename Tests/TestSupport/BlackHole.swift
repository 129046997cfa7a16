// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A port of the loopback interface that takes no connection and refuses none: its queue is full, so that the kernel drops
/// what comes (listen(2)). It lives as long as the object.
public final class BlackHole: Sendable {
  private let descriptors: [Int32]
  /// Its port.
  public let port: Int

  /// Opens it on 127.0.0.1, on a port that the system chooses; or on ::1 on this port. nil when the system will not have it.
  public init?(onIPv6 wanted: Int? = nil) {
    var (address, size) = Self.address(wanted)
    let listener = Self.makeSocket(address, 0)
    let isOpen = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { general in
        bind(listener, general.baseAddress, size) == 0 && listen(listener, 0) == 0
          && getsockname(listener, general.baseAddress, &size) == 0
      }
    }
    var opened = [listener]
    // A queue of length 0 holds one; a few more make sure of it.
    for _ in 0..<4 where isOpen {
      let filler = Self.makeSocket(address, Int32(SOCK_NONBLOCK.rawValue))
      withUnsafeMutableBytes(of: &address) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) { _ = connect(filler, $0.baseAddress, size) }
      }
      opened.append(filler)
    }
    descriptors = opened
    // The port stands at the same place for IPv4 and IPv6, in network order (ip(7), ipv6(7)).
    port = withUnsafeBytes(of: &address) { Int($0[2]) << 8 | Int($0[3]) }
    guard isOpen else { return nil }
  }

  private static func makeSocket(_ address: sockaddr_storage, _ flags: Int32) -> Int32 {
    socket(Int32(address.ss_family), Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags, 0)
  }

  private static func address(_ portOnIPv6: Int?) -> (sockaddr_storage, socklen_t) {
    var address = sockaddr_storage()
    return withUnsafeMutableBytes(of: &address) { bytes in
      guard let portOnIPv6 else {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_addr.s_addr = inet_addr("127.0.0.1")
        bytes.storeBytes(of: four, as: sockaddr_in.self)
        return (bytes.load(as: sockaddr_storage.self), socklen_t(MemoryLayout<sockaddr_in>.size))
      }
      var six = sockaddr_in6()
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = UInt16(portOnIPv6).bigEndian
      six.sin6_addr = in6addr_loopback
      bytes.storeBytes(of: six, as: sockaddr_in6.self)
      return (bytes.load(as: sockaddr_storage.self), socklen_t(MemoryLayout<sockaddr_in6>.size))
    }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }
}
