// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The facts that libcurl does not report of a connection. On the I/O thread alone.
final class KnownConnection {
  let socket: Int32
  /// The judge of the server's certificates; nil without TLS.
  var judge: PeerJudge?
  /// How many transfers have sent their request on it, those that have ended excluded.
  private(set) var users = 0
  /// The last one of them.
  fileprivate var user: Transfer?
  /// How many of them depend on what libcurl's log says of the connection.
  private var listeners = 0
  /// How many requests it has brought an answer to.
  private(set) var answers: UInt32 = 0
  private(set) var isClosed = false
  /// The last stream that the server works on, once it has said so where a transfer listened.
  private(set) var lastTaken: UInt32?
  private var hadPeer = true
  fileprivate let ends: KnownConnections.Ends

  fileprivate init(_ socket: Int32, _ ends: KnownConnections.Ends) {
    (self.socket, self.ends) = (socket, ends)
  }

  /// True if several requests may be under way on it at once (RFC 9113): nothing but ALPN says so (RFC 9113 section 3.2).
  var speaksHTTP2: Bool { judge?.speaksHTTP2 ?? false }

  /// True if a request on it depends on the log.
  var isListened: Bool { listeners > 0 }

  /// The least number that the stream of the next request can have: each answer had a stream of its own, and a client's
  /// streams have odd numbers in rising order (RFC 9113 section 5.1.1).
  var leastStream: UInt32 { answers &* 2 &+ 1 }

  /// A request is about to be sent on it. False where another one is under way that it must not share the connection with:
  /// HTTP/1.1 has one exchange at a time, whatever libcurl believes (RFC 9112 section 9.3).
  ///
  /// libcurl gives a connection on as soon as an exchange is over, before it says so.
  func join(_ transfer: Transfer) -> Bool {
    let isFree = speaksHTTP2 || user?.machine.isAnswered ?? true
    users += 1
    user = transfer
    return isFree
  }

  func leave(_ transfer: Transfer) {
    users -= 1
    if user === transfer { user = nil }
  }

  /// Such a request joins the connection; true for the first.
  func listen() -> Bool {
    listeners += 1
    return listeners == 1
  }

  func stopListening() { listeners -= 1 }

  func wentAway(behind last: UInt32) { lastTaken = last }

  func answerBegins() { answers &+= 1 }

  /// True if the peer has not closed the connection, or had not when it was closed here.
  var isPeerThere: Bool {
    guard judge?.hasSaidGoodbye != true else { return false }
    guard !isClosed else { return hadPeer }
    var byte: UInt8 = 0
    let count = unsafe recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count > 0 || (count < 0 && errno == EAGAIN)
  }

  /// The socket is about to be closed.
  fileprivate func closes() {
    hadPeer = isPeerThere
    isClosed = true
  }
}

/// The connections behind libcurl's sockets.
///
/// libcurl's own answer to which socket sends a request (CURLINFO_ACTIVESOCKET) is still that of the handle's last connection
/// when a request is about to be sent, but it names both ends then; so sockets are noted by those. On the I/O thread alone.
struct KnownConnections {
  /// The ends that distinguish connections, as libcurl names them when a request is about to be sent (CURLOPT_PREREQFUNCTION).
  struct Ends: Hashable {
    let localPort: Int32
    private let remotePort: Int32
    /// A hash of both addresses (FNV-1a): two connections to one port of different hosts may have the same local port.
    private let addresses: UInt64

    init(
      local: UnsafeMutablePointer<CChar>?, _ localPort: Int32, remote: UnsafeMutablePointer<CChar>?, _ remotePort: Int32
    ) {
      (self.localPort, self.remotePort) = (localPort, remotePort)
      addresses = unsafe Self.hash(remote, Self.hash(local, 0xcbf2_9ce4_8422_2325))
    }

    private static func hash(_ text: UnsafeMutablePointer<CChar>?, _ before: UInt64) -> UInt64 {
      var (hash, index) = (before, 0)
      while let byte = unsafe text?[index], byte != 0 {
        hash = (hash ^ UInt64(UInt8(bitPattern: byte))) &* 0x100_0000_01b3
        index += 1
      }
      return (hash ^ 0xff) &* 0x100_0000_01b3
    }
  }

  private var byEnds: [Ends: KnownConnection] = [:]
  private var bySocket: [Int32: KnownConnection] = [:]
  /// The sockets of transfers that ended before they sent a request, whose connections libcurl may keep, with their judges.
  private var unused: [Int32: PeerJudge?] = [:]

  /// The connection between these ends; `fresh` are the sockets that were made for the asking transfer, and `judge` is that of
  /// their certificates.
  mutating func connection(between ends: Ends, fresh: [Int32], judge: PeerJudge?) -> KnownConnection? {
    if let known = byEnds[ends] { return known }
    let isThis = { Self.localPort(of: $0) == ends.localPort }
    let own = fresh.first(where: isThis)
    guard let socket = own ?? unused.keys.first(where: isThis) else { return nil }
    let connection = KnownConnection(socket, ends)
    let found = unused.removeValue(forKey: socket) ?? nil
    connection.judge = own == nil ? found : judge
    connection.judge?.ahead.socket = socket
    byEnds[ends] = connection
    bySocket[socket] = connection
    return connection
  }

  /// A transfer ends that has made these sockets, and has sent no request. The number of one that was closed may be another's.
  mutating func keep(_ sockets: [Int32], _ judge: PeerJudge?) {
    for socket in sockets where bySocket[socket] == nil { unused[socket] = .some(judge) }
  }

  /// True if libcurl holds a piece of a body for the last transfer that sent its request on `socket`, which is paused.
  func isHeld(on socket: Int32) -> Bool { bySocket[socket]?.user?.handle?.holdsBytes ?? false }

  /// `socket` is about to be closed.
  mutating func forget(_ socket: Int32) {
    unused[socket] = nil
    guard let known = bySocket.removeValue(forKey: socket) else { return }
    known.closes()
    byEnds[known.ends] = nil
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
