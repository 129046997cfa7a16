// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A server at a port of its own on this machine that answers each request with "ok", but for a redirect and a login.
enum SmallServer {
  static func start() -> URL {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = bind(listener, pointer, size)
        _ = listen(listener, 4096)
        _ = getsockname(listener, pointer, &size)
      }
    }
    let port = Int(UInt16(bigEndian: address.sin_port))
    Thread { serve(listener) }.start()
    return URL(string: "http://127.0.0.1:\(port)/") ?? URL(fileURLWithPath: "/")
  }

  /// Serves all connections on one thread. Requests have no body here, and each comes in one piece.
  private static func serve(_ listener: Int32) {
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nCache-Control: no-store\r\n\r\nok".utf8)
    var sockets = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    let redirect = Array(
      "HTTP/1.1 302 Found\r\nLocation: /?after=SECRET-location\r\nSet-Cookie: sid=SECRET-set\r\nContent-Length: 0\r\n\r\n"
        .utf8)
    let challenge = Array(
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"here\"\r\nContent-Length: 0\r\n\r\n".utf8)
    var room = [UInt8](repeating: 0, count: 4096)
    while true {
      poll(&sockets, nfds_t(sockets.count), -1)
      for index in sockets.indices.dropFirst() where sockets[index].revents != 0 {
        let count = recv(sockets[index].fd, &room, room.count, 0)
        if count > 0 {
          let request = String(decoding: room[..<count], as: UTF8.self)
          let isRefused = request.contains("/login") && !request.contains("Authorization")
          let reply = request.contains("/redirect") ? redirect : isRefused ? challenge : answer
          send(sockets[index].fd, reply, reply.count, Int32(MSG_NOSIGNAL))
        } else {
          close(sockets[index].fd)
          sockets[index].fd = -1
        }
      }
      if sockets[0].revents != 0 {
        let link = accept(listener, nil, nil)
        _ = fcntl(link, F_SETFD, FD_CLOEXEC)
        if link >= 0 { sockets.append(pollfd(fd: link, events: Int16(POLLIN), revents: 0)) }
      }
      sockets.removeAll { $0.fd < 0 }
    }
  }
}
