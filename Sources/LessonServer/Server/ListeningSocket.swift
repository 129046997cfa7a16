// SPDX-License-Identifier: Apache-2.0
import Glibc
import Locking

/// A socket that listens on 127.0.0.1; its owner closes it.
struct ListeningSocket {
  let descriptor: CInt
  let port: UInt16

  /// Ports that servers of this process have had from the system.
  private static let used = Locked<Set<UInt16>>([])
  /// How often the server asks for another port.
  private static let tries = 64

  /// Listens on `wanted`; 0 is a port that the system chooses and no server of this process had before, as far as
  /// there are such. Clients know a server by its host and port: they would greet a new one with the logins, cached
  /// responses and idle connections of the one that had its port.
  static func open(port wanted: UInt16) throws(LessonServerError) -> ListeningSocket {
    var passedOver: [CInt] = []
    defer { for descriptor in passedOver { close(descriptor) } }
    while true {
      let new = try bound(to: wanted)
      let isNew = wanted != 0 || used.withLock { $0.insert(new.port).inserted }
      let isLast = passedOver.count == tries
      if isNew || isLast {
        if listen(new.descriptor, 4096) == 0 { return new }
        // Of two processes that the system gives one port, the second one to listen is refused.
        guard wanted == 0, errno == EADDRINUSE, !isLast else {
          defer { close(new.descriptor) }
          throw refusal(of: wanted, "listen")
        }
      }
      passedOver.append(new.descriptor)
    }
  }

  private static func bound(to wanted: UInt16) throws(LessonServerError) -> ListeningSocket {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .cannotListen("socket", errno) }
    var on: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isBound else {
      defer { close(descriptor) }
      throw refusal(of: wanted, "bind")
    }
    return ListeningSocket(descriptor: descriptor, port: UInt16(bigEndian: address.sin_port))
  }

  private static func refusal(of wanted: UInt16, _ call: String) -> LessonServerError {
    errno == EADDRINUSE ? .portInUse(wanted) : .cannotListen(call, errno)
  }
}
