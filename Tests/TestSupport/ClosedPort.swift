// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A port of 127.0.0.1 on which nobody listens and which nobody else can get meanwhile: it is bound, but not listening.
///
/// The port of a stopped server would do only until another test's server is given it.
public final class ClosedPort: Sendable {
  private let descriptor: Int32
  /// Its URL, with the path `/`.
  public let url: String

  /// Binds a port that the system chooses.
  public init() {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (descriptor, length) = (descriptor, size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        _ = bind(descriptor, general, length)
        _ = getsockname(descriptor, general, &size)
      }
    }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
  }

  deinit {
    close(descriptor)
  }
}
