// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import Transport

/// What a load's connection is for.
package enum LoadUse: Sendable {
  /// A request and its response.
  case exchange
  /// A WebSocket: the load's request opens it (RFC 6455 section 4) with redirects, challenges and cookies like any other,
  /// and offers these sub-protocols. The request's URL is an http or https one: `WebSocketURL.overHTTP(_:)`.
  case webSocket(protocols: [String])
  /// A TCP connection to the host and port of the request's URL; nothing is sent by us.
  case bytes
}

/// How far a load has come with a connection for bytes; of the I/O thread.
struct LoadLink {
  var handshake: WebSocketHandshake?
  var isOpen = false
  /// Whether TLS begins, or has begun, in the midst of a connection without a request.
  var isSecured = false
  /// Whether the load works for somebody who outlives its session.
  var isIndependent = false
}

/// A connection that belongs to the load's client. These are to be called on the I/O thread, where the client is.
extension Load {
  /// Sends bytes after all that were sent before; `load(_:didTake:)` tells how far it has come. What is sent when there
  /// is no open connection is dropped.
  package func send(_ bytes: [UInt8]) {
    assertOnThread()
    if link.isOpen { transfer?.send(bytes) }
  }

  /// Ends our direction once all is sent that waits.
  package func endSending() {
    assertOnThread()
    if link.isOpen { transfer?.endSending() }
  }

  /// Reads on after the client wanted no more bytes.
  package func goOnReading() {
    assertOnThread()
    release(.buffer)
  }

  /// Ends the load, and its connection with it: in order, or with an error.
  package func finish(_ error: URLError?) {
    assertOnThread()
    end(error)
  }

  /// Works for `client` from now on, who outlives the session: its end does not end the load, no time of the load's own runs
  /// any more, and what suspended it is over. Returns what the old client may tell of the load's end. Where the load has
  /// ended, `client` hears nothing.
  package func becomeIndependent(for client: any LoadClient) -> LoadEnd {
    assertOnThread()
    var end = LoadEnd()
    if let transfer { noteExchange { $0.metrics = transfer.metrics } }
    (end.exchanges, end.redirectCount) = (exchanges, redirectCount)
    link.isIndependent = true
    guard !machine.isEnded else { return end }
    self.client = client
    dropDeadline()
    transfer?.becomeIndependent()
    // Not from within a consumer's call.
    Load.onThread { self.release(.suspended) }
    return end
  }

  /// Runs `job` on the I/O thread, after all that were posted before.
  package static func onThread(_ job: @escaping @Sendable () -> Void) {
    Transport.onThread(job)
  }
}

// MARK: - Opening

extension Load {
  /// Connects, without a request.
  func connect() {
    guard let url = currentURL, let address = try? RequestRules.address(of: currentRequest) else {
      return end(
        LoadError.error(.cannotFindHost, url: originalRequest.url, description: "There is no such host or port."))
    }
    start(bare(address, url))
  }

  /// What is told to the transport where there is no request.
  func bare(_ address: String, _ url: URL) -> TransferRequest {
    var request = TransferRequest(url: address)
    request.use = .bytes
    request.subject = subject
    request.idleTimeout = RequestRules.idleTimeout(of: URLRequest(url: url), context.configuration).map { .seconds($0) }
    return request
  }

  /// Makes the request one that opens a WebSocket.
  func upgrade(_ request: inout TransferRequest) throws(URLError) {
    guard case .webSocket(let protocols) = use else { return }
    if let bad = protocols.first(where: { !HeaderField.isToken($0) }) {
      throw LoadError.error(
        .badURL, url: currentURL, description: "'\(bad)' cannot be the name of a sub-protocol.")
    }
    var handshake = WebSocketHandshake(protocols: protocols)
    handshake.add(to: &request.fields)
    link.handshake = handshake
    request.use = .upgrade(to: "websocket")
    request.decodesContent = false
  }

  /// The connections for such a request; nil where any will do.
  func linkTransport(for request: TransferRequest) -> Transport? {
    guard request.use != .exchange else { return nil }
    if case .use = request.identityPolicy { return nil }
    return context.linkTransport
  }

  /// Judges the answer to a handshake; nil when there was none.
  func upgraded(by head: ResponseHead, _ response: HTTPURLResponse) -> TransferFlow? {
    guard let handshake = link.handshake else { return nil }
    if let refusal = handshake.refusal(of: head) { return refuse(response, refusal) }
    self.response = response
    client?.load(self, didReceive: response)
    link.isOpen = true
    client?.load(self, didOpen: response, protocolName: head.value(of: "Sec-WebSocket-Protocol"))
    return holds.isEmpty ? .proceed : .pause
  }

  /// The response opens no WebSocket, and is all that comes of the load.
  func refuse(_ response: URLResponse, _ reason: String) -> TransferFlow {
    self.response = response
    client?.load(self, didReceive: response)
    end(LoadError.error(.badServerResponse, url: currentURL, description: reason))
    return .proceed
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

  package func transferConnected(_ transfer: Transfer) {
    guard machine.isExchanging, self.transfer === transfer, case .bytes = use else { return }
    link.isOpen = true
    client?.load(self, didOpen: nil, protocolName: nil)
  }
}

// MARK: - Bytes

extension Load {
  func linked(_ bytes: UnsafeRawBufferPointer, of transfer: Transfer) -> TransferFlow {
    guard machine.isExchanging, self.transfer === transfer, let client else { return .pause }
    addReceived(bytes.count)
    guard client.load(self, didReceive: bytes) else { return hold(.buffer) }
    return holds.isEmpty ? .proceed : .pause
  }

  func linked(sent total: Int64) {
    client?.load(self, didTake: total)
  }

  package func transferReachedEndOfInput(_ transfer: Transfer) {
    guard machine.isExchanging, self.transfer === transfer else { return }
    client?.loadReachedEndOfInput(self)
  }
}
