// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// A small proxy on 127.0.0.1: it hands http requests on, opens tunnels by CONNECT, and speaks SOCKS 5. It notes what it was asked; it lives until the process ends or `stop()`.
public final class LoopbackProxy: @unchecked Sendable {
  // Sendable: `state` is behind `lock`; the rest never changes.

  /// One request as the proxy got it.
  public struct Asked: Sendable {
    /// The request line, or `SOCKS host:port`.
    public let line: String
    /// The header fields as they came, by names in lower case.
    public let fields: [String: String]
    /// The number of its connection, in the order of their beginnings from 0 on.
    public let connection: Int
  }

  private struct State {
    var asked: [Asked] = []
    var open: Set<Int32> = []
    var connections = 0
    var isStopped = false
  }

  /// Its port.
  public let port: Int
  private let listener: Int32
  private let challenges: Challenges
  /// What CONNECT is answered with in place of a tunnel.
  private let refusal: String?
  /// True if a connection lives on behind a request that was handed on.
  private let keepsConnections: Bool
  /// What SOCKS clients have to say, `user:password`; nil for nothing.
  private let socksLogin: String?
  private let lock = NSLock()
  private var state = State()

  /// What a proxy asks, as the value of Proxy-Authenticate, after a request with this value of Proxy-Authorization, this
  /// method and this target; nil for nothing.
  public typealias Asking = @Sendable (_ answer: String?, _ method: String, _ target: String) -> String?

  /// The same for a login that binds a connection: all challenges, after a request on the connection of this number.
  public typealias LoggingIn = @Sendable (_ answer: String?, _ connection: Int) -> [String]

  private typealias Challenges = @Sendable (_ answer: String?, _ words: [String], _ connection: Int) -> [String]

  /// Listens at once. With `credential`, `user:password`, it wants that by Basic in the realm `proxy`.
  public convenience init(credential: String) {
    let wanted = "Basic " + Data(credential.utf8).base64EncodedString()
    self.init(asks: { answer, _, _ in answer == wanted ? nil : "Basic realm=\"proxy\"" })
  }

  /// Listens at once. With `refusal`, a status such as `502 Bad Gateway`, it opens no tunnels.
  public convenience init(asks: Asking? = nil, refusal: String? = nil) {
    self.init(refusal: refusal, keepsConnections: false) { answer, words, _ in
      asks?(answer, words[0], words[1]).map { [$0] } ?? []
    }
  }

  /// Listens at once. A connection lives on behind a request that was handed on.
  public convenience init(logsIn: @escaping LoggingIn) {
    self.init(refusal: nil, keepsConnections: true) { answer, _, connection in logsIn(answer, connection) }
  }

  /// Listens at once. Over SOCKS it wants `socksLogin`, `user:password` (RFC 1929).
  public convenience init(socksLogin: String) {
    self.init(refusal: nil, keepsConnections: false, socksLogin: socksLogin) { _, _, _ in [] }
  }

  private init(
    refusal: String?, keepsConnections: Bool, socksLogin: String? = nil, challenges: @escaping Challenges
  ) {
    self.refusal = refusal
    self.socksLogin = socksLogin
    self.keepsConnections = keepsConnections
    self.challenges = challenges
    (listener, port) = Loopback.listen()
    Thread { [self] in accept() }.start()
  }

  /// What was asked so far.
  public var asked: [Asked] { lock.withLock { state.asked } }

  /// Ends the listening and every connection.
  public func stop() {
    lock.withLock {
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private func accept() {
    while true {
      let client = workbench_accept(listener)
      guard client >= 0 else { break }
      let number = lock.withLock { () -> Int? in
        guard !state.isStopped, state.open.insert(client).inserted else { return nil }
        state.connections += 1
        return state.connections - 1
      }
      guard let number else {
        close(client)
        break
      }
      Thread { [self] in
        serve(Loopback(client), number)
        lock.withLock { _ = state.open.remove(client) }
        close(client)
      }.start()
    }
    close(listener)
  }

  private func note(_ line: String, _ fields: [String: String] = [:], on connection: Int) {
    lock.withLock { state.asked.append(Asked(line: line, fields: fields, connection: connection)) }
  }
}

// MARK: - One connection, on a thread of its own

extension LoopbackProxy {
  private func serve(_ client: Loopback, _ connection: Int) {
    guard let first = client.peek() else { return }
    if first == 5 { return serveSOCKS(client, connection) }
    while let head = client.head() {
      let lines = head.components(separatedBy: "\r\n").filter { !$0.isEmpty }
      guard let line = lines.first else { return }
      var fields: [String: String] = [:]
      for field in lines.dropFirst() {
        guard let colon = field.firstIndex(of: ":") else { continue }
        fields[field[..<colon].lowercased()] = field[field.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
      note(line, fields, on: connection)
      let words = line.components(separatedBy: " ")
      guard words.count == 3 else { return }
      let asked = challenges(fields["proxy-authorization"], words, connection)
      if !asked.isEmpty {
        guard refuse(client, asked, hasBody: fields["content-length"].map { $0 != "0" } ?? false) else { return }
        continue
      }
      if words[0] == "CONNECT" { return tunnel(client, to: words[1]) }
      guard handOn(client, words, lines, fields) else { return }
    }
  }

  /// False when the connection is over.
  private func refuse(_ client: Loopback, _ challenges: [String], hasBody: Bool) -> Bool {
    var answer = "HTTP/1.1 407 Proxy Authentication Required\r\n"
    for challenge in challenges { answer += "Proxy-Authenticate: \(challenge)\r\n" }
    if hasBody { answer += "Connection: close\r\n" }
    client.send(answer + "Content-Length: 4\r\n\r\nwho?")
    // The body of such a request would be taken for the next one.
    if hasBody { client.drain() }
    return !hasBody
  }

  private func tunnel(_ client: Loopback, to authority: String) {
    if let refusal { return client.send("HTTP/1.1 \(refusal)\r\nContent-Length: 0\r\n\r\n") }
    guard let port = authority.split(separator: ":").last.flatMap({ UInt16($0) }), let server = Loopback(to: port)
    else {
      return client.send("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
    }
    client.send("HTTP/1.1 200 Connection established\r\nX-Proxy: tunnel\r\n\r\n")
    client.relay(with: server)
  }

  /// Hands one request on, over a connection of its own, so that nothing of the answer needs to be understood. False when
  /// the client's connection is over.
  private func handOn(_ client: Loopback, _ words: [String], _ lines: [String], _ fields: [String: String]) -> Bool {
    guard let url = URL(string: words[1]), let server = Loopback(to: UInt16(url.port ?? 80)) else {
      client.send("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
      return false
    }
    let target = words[1].components(separatedBy: "/").dropFirst(3).joined(separator: "/")
    let kept = lines.dropFirst().filter { !$0.lowercased().hasPrefix("proxy-") }
    let head = ["\(words[0]) /\(target) HTTP/1.1"] + kept + ["Connection: close", "X-Proxy: forward", "", ""]
    server.send(head.joined(separator: "\r\n"))
    guard keepsConnections else {
      client.relay(with: server)
      return false
    }
    if let body = client.bytes(fields["content-length"].flatMap { Int($0) } ?? 0) { server.send(body) }
    guard let answer = server.head() else { return false }
    client.send(answer.replacingOccurrences(of: "Connection: close\r\n", with: "", options: .caseInsensitive))
    client.send(server.rest())
    return true
  }

  /// RFC 1928 sections 3 to 6: CONNECT alone.
  private func serveSOCKS(_ client: Loopback, _ connection: Int) {
    guard let hello = client.bytes(2), let methods = client.bytes(Int(hello[1])) else { return }
    guard admits(client, methods.contains(2)) else { return }
    guard let wish = client.bytes(4), wish[1] == 1 else { return }
    let host: String
    switch wish[3] {
    case 3:
      guard let count = client.bytes(1), let name = client.bytes(Int(count[0])) else { return }
      host = String(decoding: name, as: UTF8.self)
    case 1:
      guard let address = client.bytes(4) else { return }
      host = address.map(String.init).joined(separator: ".")
    default: return
    }
    guard let digits = client.bytes(2) else { return }
    let port = UInt16(digits[0]) << 8 | UInt16(digits[1])
    note("SOCKS \(host):\(port)", on: connection)
    guard let server = Loopback(to: port) else { return client.send([5, 5, 0, 1, 0, 0, 0, 0, 0, 0]) }
    client.send([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
    client.relay(with: server)
  }

  /// RFC 1929: a name and a password, where they are wanted. False when the client is not let in.
  private func admits(_ client: Loopback, _ hasLogin: Bool) -> Bool {
    guard let socksLogin else {
      client.send([5, 0])
      return true
    }
    guard hasLogin else {
      client.send([5, 255])
      return false
    }
    client.send([5, 2])
    guard client.bytes(1)?.first == 1, let count = client.bytes(1), let user = client.bytes(Int(count[0])),
      let length = client.bytes(1), let password = client.bytes(Int(length[0]))
    else { return false }
    let isRight = Array(socksLogin.utf8) == user + [58] + password
    client.send([1, isRight ? 0 : 1])
    return isRight
  }
}
