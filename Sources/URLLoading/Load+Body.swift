// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// The request's body, as often as it has to be sent.
extension Load {
  /// Answers `load(_:needsBodyFor:)`, from any thread. Any answer but the first does nothing.
  package func provide(_ body: NewBody) {
    context.transport.perform { self.answered(body: body) }
  }

  /// Sends `request`, the first or the next, as soon as its body is at hand. Every request of a load passes here: a
  /// redirect's, one with credentials, one that is tried again. On the I/O thread, when no transfer runs any more.
  func send(_ request: URLRequest) {
    switch use {
    case .bytes: connect()
    case .exchange where isFed(request): break
    case .exchange, .webSocket: sendOverHTTP(request)
    }
  }

  /// The same, whatever its scheme.
  func sendOverHTTP(_ request: URLRequest) {
    if !sendsPartOfUpload(request) { perform(supply.wanted(given(by: request)), request) }
  }

  /// Sends the request again when its transfer failed because the body had begun on a connection that was dead, and
  /// could not start again there. False when nothing is to be done.
  func sendsAgain(after failure: TransferFailure) -> Bool {
    guard failure.cause == .bodyNotRepeatable, phase == .running, response == nil, supply.connectionLost() else {
      return false
    }
    transfer = nil
    send(currentRequest)
    return true
  }

  /// A redirect leads to `request`: what was given in place of a request's own body does not go along where the method
  /// has no body.
  func redirected(to request: URLRequest) {
    if upload?.machine.step != .offset, ["GET", "HEAD"].contains(request.httpMethod ?? "GET") { givenBody = nil }
  }

  private func answered(body: NewBody) {
    guard phase == .awaitingBody, let request = unsent else { return }
    unsent = nil
    perform(supply.answered(body, hasCopy: bodyStream?.isKept ?? false), request)
  }

  private func perform(_ order: BodySupply.Order, _ request: URLRequest) {
    switch order {
    case .send: transmit(request, firstBody(of: request))
    case .sendNew(let stream): transmit(request, streamBody(stream, of: request))
    case .sendCopy: transmit(request, streamBody(nil, of: request))
    case .ask:
      phase = .awaitingBody
      unsent = request
      watchTotalTime()
      client?.load(self, needsBodyFor: request)
    case .fail:
      end(
        LoadError.error(
          .requestBodyStreamExhausted, url: request.url,
          description: "The body has to be sent again, but its stream cannot start again and there is no other."))
    }
  }

  private func given(by request: URLRequest) -> BodySupply.Given {
    switch givenBody {
    case .data, .file: return .whole
    case .requested: return .requested
    case nil: return request.httpBodyStream.map { .stream($0) } ?? .whole
    }
  }

  private func firstBody(of request: URLRequest) -> TransferBody? {
    switch givenBody {
    case .data(let data): return .bytes(data)
    case .file(let url): return .file(path: url.path)
    case .requested, nil: break
    }
    if let stream = request.httpBodyStream { return streamBody(stream, of: request) }
    return request.httpBody.map { .bytes($0) }
  }

  /// The body from a new stream, or once more from the one before.
  private func streamBody(_ stream: InputStream?, of request: URLRequest) -> TransferBody? {
    if let stream { bodyStream = BodyStream(stream, keeps: client?.keepsBodyStreams ?? false) }
    guard let bodyStream else { return nil }
    let length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    return .source(StreamBodySource(bodyStream), length: length.flatMap { $0 >= 0 ? $0 : nil })
  }

  /// Starts a transfer.
  func start(_ request: consuming TransferRequest) {
    route(&request)
    request.versions = context.configuration.tlsVersions
    guard let transport = transport(for: &request) else { return }
    request.totalTimeout = deadline.map { max(.zero, $0 - .now) }
    noteExchange(currentRequest)
    noteExchange { $0.isProxied = request.proxy != nil }
    let transfer = (linkTransport(for: request) ?? transport).start(request, consumer: self)
    self.transfer = transfer
    if case .source(let source as StreamBodySource, _) = request.body {
      source.stream.whenReady { [weak transfer] in transfer?.resumeSending() }
    }
    if !holds.isEmpty { transfer.pauseAtOnce() }
  }
}
