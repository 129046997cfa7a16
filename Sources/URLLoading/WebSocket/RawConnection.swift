// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// The purpose of a load's connection.
package enum LoadUse: Sendable {
  /// A request and its response.
  case exchange
  /// A WebSocket: the load's request opens it (RFC 6455 section 4) with redirects, challenges and cookies like any other,
  /// and offers these sub-protocols. The request's URL is an http or https one: `WebSocketURL.overHTTP(_:)`.
  case webSocket(protocols: [String])
  /// A TCP connection to the host and port of the request's URL; nothing is sent by us.
  case bytes
}

/// How far a load has come with a connection that belongs to its client: how it opens and starts TLS, and which client it
/// belongs to. Pure, but for the key of a handshake.
struct RawConnection {
  let use: LoadUse
  private var handshake: WebSocketHandshake?
  /// True if bytes go to the client and come from it, as they are.
  private(set) var isOpen = false
  /// True if TLS begins, or has begun, in the midst of a connection without a request.
  private(set) var isSecured = false
  /// True if the load works for a client that outlives its session.
  private(set) var isIndependent = false

  init(_ use: LoadUse) {
    self.use = use
  }

  /// True if it belongs to no client: the load has a request and a response.
  var isExchange: Bool { if case .exchange = use { true } else { false } }

  mutating func open() { isOpen = true }
  mutating func secure() { isSecured = true }
  mutating func becomeIndependent() { isIndependent = true }
}

// MARK: - Connections without a request

extension RawConnection {
  /// Makes the request to the transport where the load has none: a connection to the host and port of `request`, `overTLS`
  /// from here on.
  /// - Throws: -1003 where the request names none.
  static func request(
    for request: URLRequest, overTLS: Bool = false, subject: UInt64, _ configuration: LoadConfiguration
  ) throws(URLError) -> TransferRequest {
    guard let url = request.url, let address = try? RequestRules.address(of: request) else {
      throw LoadError.error(.cannotFindHost, url: request.url, description: "There is no such host or port.")
    }
    var wanted = TransferRequest(url: overTLS ? "https" + address.dropFirst(4) : address)
    wanted.use = .bytes
    wanted.subject = subject
    wanted.idleTimeout = RequestRules.idleTimeout(of: URLRequest(url: url), configuration).map { .seconds($0) }
    if overTLS { wanted.versions = configuration.wire.tlsVersions }
    return wanted
  }
}

extension RawConnection {
  /// True if `request` wants a connection to itself; of one identity's connections any will do.
  static func isWanted(for request: borrowing TransferRequest) -> Bool {
    guard request.use != .exchange else { return false }
    if case .use = request.identityPolicy { return false }
    return true
  }
}

// MARK: - WebSockets

extension RawConnection {
  /// The meaning of the server's answer to the handshake.
  enum Answer {
    case opens(protocolName: String?)
    /// It opens no WebSocket; the sentence says why.
    case refuses(String)
  }

  /// True if the answer to a handshake is awaited, or has come.
  var hasHandshake: Bool { handshake != nil }

  /// Makes the request one that opens a WebSocket, where the load is for one. Returns this connection with its handshake: a
  /// property that is only ever replaced is read without a check at run time, here for every piece of a body.
  func upgraded(by request: inout TransferRequest, url: URL?) throws(URLError) -> RawConnection {
    guard case .webSocket(let protocols) = use else { return self }
    if let bad = protocols.first(where: { !HeaderField.isToken($0) }) {
      throw LoadError.error(.badURL, url: url, description: "'\(bad)' cannot be the name of a sub-protocol.")
    }
    var handshake = WebSocketHandshake(protocols: protocols)
    handshake.add(to: &request.fields)
    var next = self
    next.handshake = handshake
    request.use = .upgrade(to: "websocket")
    request.decodesContent = false
    return next
  }

  /// Judges the answer to a handshake; nil when there was none.
  func answer(in head: ResponseHead) -> Answer? {
    guard let handshake else { return nil }
    if let refusal = handshake.refusal(of: head) { return .refuses(refusal) }
    return .opens(protocolName: head.value(of: "Sec-WebSocket-Protocol"))
  }

  /// The error of a handshake that the server answered by closing the connection; nil for any other failure.
  func error(after failure: TransferFailure, url: URL?) -> URLError? {
    guard hasHandshake, !isOpen, failure.cause == .connectionLost else { return nil }
    return LoadError.error(
      .badServerResponse, url: url, underlying: LoadError.error(for: failure, url: url),
      description: "The server closed the connection in place of an answer to the WebSocket's handshake.")
  }

  /// A redirect of a WebSocket may lead to a WebSocket's URL, too.
  func overHTTP(_ request: URLRequest) -> URLRequest {
    guard case .webSocket = use else { return request }
    return WebSocketURL.overHTTP(request) ?? request
  }

  /// The URL as the user knows it.
  func shown(_ url: URL) -> URL {
    if case .webSocket = use { WebSocketURL.shown(url) } else { url }
  }
}
