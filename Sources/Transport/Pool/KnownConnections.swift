// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The facts that libcurl does not report of the connections behind its sockets: which socket sends a request, the
/// judge of its certificates, and whether libcurl's words about it matter to one of its requests.
///
/// libcurl's own answer to the first (CURLINFO_ACTIVESOCKET) is still that of the handle's last connection when a request
/// is about to be sent, but it names the ports then; so sockets are noted by their ports. On the I/O thread alone.
struct KnownConnections {
  /// The ports that distinguish connections, as libcurl names them when a request is about to be sent.
  struct PortPair: Hashable {
    var local: Int32
    var remote: Int32
  }

  private var sockets: [PortPair: Int32] = [:]
  private var ports: [Int32: PortPair] = [:]
  private var judges: [Int32: PeerJudge] = [:]
  /// How many requests listen, by socket.
  private var listeners: [Int32: Int] = [:]

  /// The socket between these ports; `fresh` are those that were made for the asking transfer.
  mutating func socket(between ports: PortPair, fresh: [Int32]) -> Int32? {
    if let known = sockets[ports] { return known }
    guard let socket = fresh.first(where: { Self.localPort(of: $0) == ports.local }) else { return nil }
    sockets[ports] = socket
    self.ports[socket] = ports
    return socket
  }

  /// The judge of the certificates of the connection on `socket`: `fresh` where its handshake has just been made.
  mutating func judge(of socket: Int32?, fresh: PeerJudge?) -> PeerJudge? {
    guard let socket else { return fresh }
    if let fresh {
      judges[socket] = fresh
      fresh.ahead.socket = socket
    }
    return judges[socket]
  }

  /// True if a request on `socket` depends on what libcurl says of the connection.
  func isListened(_ socket: Int32) -> Bool { listeners[socket] != nil }

  /// Such a request joins the connection; true for the first.
  mutating func listen(on socket: Int32) -> Bool {
    listeners[socket, default: 0] += 1
    return listeners[socket] == 1
  }

  /// Such a request leaves the connection.
  mutating func stopListening(on socket: Int32) {
    if let count = listeners[socket] { listeners[socket] = count > 1 ? count - 1 : nil }
  }

  /// `socket` is about to be closed.
  mutating func forget(_ socket: Int32) {
    judges[socket] = nil
    listeners[socket] = nil
    if let known = ports.removeValue(forKey: socket) { sockets[known] = nil }
  }

  private static func localPort(of socket: Int32) -> Int32? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutableBytes(of: &address) { bytes in
      unsafe bytes.withMemoryRebound(to: sockaddr.self) { unsafe getsockname(socket, $0.baseAddress, &size) }
    }
    // The port stands at the same place for IPv4 and IPv6, in network order (ip(7), ipv6(7)).
    guard result == 0 else { return nil }
    return unsafe withUnsafeBytes(of: &address) { unsafe Int32($0[2]) << 8 | Int32($0[3]) }
  }
}
