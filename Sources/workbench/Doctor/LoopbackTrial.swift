// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A connection over this machine's loopback interface. A server can listen there also where the interface is down.
enum LoopbackTrial {
  /// Connects to 127.0.0.1 and closes the connection; answers what the system says where it refuses, nil where it does not.
  static func refusal(port: UInt16) -> String? {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard client >= 0 else { return reason() }
    defer { close(client) }
    // It bounds connect(2), too (socket(7)).
    var patience = timeval(tv_sec: 2, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return result == 0 ? nil : reason()
  }

  private static func reason() -> String {
    let number = errno == EINPROGRESS ? ETIMEDOUT : errno
    return strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
