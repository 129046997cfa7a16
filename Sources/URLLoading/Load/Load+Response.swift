// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Timeline
package import Transport

/// The steps of a response, on the I/O thread.
extension Load: TransferConsumer {
  package func transfer(_ transfer: Transfer, didReceive head: ResponseHead) -> TransferFlow {
    guard machine.isExchanging, self.transfer === transfer else { return .proceed }
    tell(head)
    guard let cookies = context.loadCookies, LoadCookies.areSet(by: head, to: currentRequest) else {
      return received(head)
    }
    let isKept = cookies.keep(head, of: currentRequest) { self.context.transport.perform { self.handle(.stored) } }
    if isKept { return received(head) }
    note(.cookieStorageBegan(head))
    return .pause
  }

  /// Continues with a response whose cookies are stored.
  func cookiesAreStored(of head: ResponseHead) {
    let transfer = transfer
    let flow = received(head)
    // A transfer that another one has replaced ends by itself.
    if self.transfer !== transfer || flow == .proceed && isReading { transfer?.resumeAtOnce() }
    // Of a response in parts the judges ask nothing; one whose transfer has ended meanwhile is complete.
    if case .multipart = output { finishIfComplete() }
  }

  private typealias Judge = @Sendable (Load, ResponseHead, LoadedResponse) -> TransferFlow?

  /// The judges of a head, in this order: the first that has an opinion decides, and the last always has one.
  private static let judges: [Judge] = [
    { $0.redirected(by: $1, $2) },
    { $0.validated(by: $1, $2) },
    { $0.challenged(by: $1, $2) },
    { $0.upgraded(by: $1, $2) },
    { $0.uploadOffset(in: $1, $2) },
    { $0.beganMultipart(by: $1, $2) },
    { $0.concluded(by: $1, $2) },
  ]

  /// Interprets a response; its cookies are stored.
  func received(_ head: ResponseHead) -> TransferFlow {
    guard let url = currentURL else { return .proceed }
    guard let response = context.responses.response(for: head, from: connection.shown(url)) else {
      end(LoadError.error(.cannotParseResponse, url: url, description: "The response's head cannot be represented."))
      return .proceed
    }
    knownChallenges?.accept(head, at: url)
    exchanges.note { $0.response = response }
    for judge in Self.judges {
      if let flow = judge(self, head, response) { return flow }
    }
    return .proceed
  }
}

// MARK: - Redirects

extension Load {
  /// Judges a redirect; nil where the response is none.
  private func redirected(by head: ResponseHead, _ response: LoadedResponse) -> TransferFlow? {
    let location = head.status >= 300 ? head.value(of: "Location") : nil
    switch RedirectRules.outcome(status: head.status, location: location, request: currentRequest) {
    case .final: return nil
    case .follow(let request):
      cache.note(head, to: currentRequest)
      return redirected(by: response, to: request)
    case .unusable:
      end(
        LoadError.error(
          .redirectToNonExistentLocation, url: currentURL,
          description: "The redirect leads to '\(LoadError.excerpt(location ?? ""))', which is no URL."))
      return .proceed
    }
  }

  func redirected(by response: HTTPURLResponse, to request: URLRequest) -> TransferFlow {
    redirectCount += 1
    guard redirectCount <= RedirectRules.limit else {
      end(LoadError.error(.httpTooManyRedirects, url: currentURL, description: "too many HTTP redirects"))
      return .proceed
    }
    let question = ask(.redirect(response))
    let next = redirectCount == 1 ? withSessionFields(request, behind: response) : request
    partners?.decisions.load(self, willFollow: response, to: next, asking: question)
    return .pause
  }
}

// MARK: - Parts

extension Load {
  /// Begins the parts of a response that is of their type, for a client that takes a body in pieces; nil for any other.
  /// Handlers and files get the body as it is.
  private func beganMultipart(by head: ResponseHead, _ response: LoadedResponse) -> TransferFlow? {
    guard presetSink?.isBuffered ?? true, let body = MultipartBody(head, response) else { return nil }
    output = .multipart(body)
    return holds.isEmpty ? .proceed : .pause
  }
}

// MARK: - Challenges

extension Load {
  /// Judges a head for what it, or a proxy in its place, says about credentials: nil when it is no challenge.
  private func challenged(by head: ResponseHead, _ response: LoadedResponse) -> TransferFlow? {
    guard head.status == 401 || head.status == 407 && knownChallenges != nil,
      let step = challenges.step(
        after: head, response, at: currentURL, body: body.place(in: currentRequest))
    else { return nil }
    perform(step)
    if case .supersede = step { return .proceed }
    return .pause
  }
}

// MARK: - Stored responses

extension Load {
  /// Judges the answer to the question whether what is stored is still valid. nil when it is not; otherwise nothing is to
  /// be announced: it is, or the request goes out again because the 304 means another version.
  private func validated(by head: ResponseHead, _ response: LoadedResponse) -> TransferFlow? {
    guard let validation = cache.validate(head) else { return nil }
    let old = transfer
    transfer = nil
    switch validation {
    case .repeated(let request):
      Timeline.emit(.note("the 304 means another version than the cached one"), subject: subject)
      old?.cancel()
      note(.requestChosen)
      start(request)
    case .confirmed(let answer):
      // The old transfer has no body and ends by itself, so that its connection can be used again.
      Timeline.emit(.note("answered from the cache, which the server confirmed with 304"), subject: subject)
      serve(answer)
    }
    return .proceed
  }
}

// MARK: - Uploads

extension Load {
  /// Judges a head that says how much of an upload has come; nil when it is a response like any other.
  private func uploadOffset(in head: ResponseHead, _ response: HTTPURLResponse) -> TransferFlow? {
    switch upload?.judge(head, from: currentURL) {
    case nil: return nil
    case .send(let request):
      setCurrent(request)
      supersede(response, by: request)
    case .fail(let error):
      upload = nil
      end(error)
    }
    return .proceed
  }
}

// MARK: - WebSockets

extension Load {
  /// Judges the answer to a handshake; nil when there was none.
  private func upgraded(by head: ResponseHead, _ response: HTTPURLResponse) -> TransferFlow? {
    switch connection.answer(in: head) {
    case nil: return nil
    case .refuses(let sentence): return refuse(response, sentence)
    case .opens(let protocolName):
      show(response)
      client?.load(self, didReceive: response, asking: nil)
      connection.open()
      partners?.rawConnection?.load(self, didOpen: response, protocolName: protocolName)
      return holds.isEmpty ? .proceed : .pause
    }
  }

  /// The response opens no WebSocket, and is all the load delivers.
  private func refuse(_ response: URLResponse, _ reason: String) -> TransferFlow {
    show(response)
    client?.load(self, didReceive: response, asking: nil)
    end(LoadError.error(.badServerResponse, url: currentURL, description: reason))
    return .proceed
  }
}

// MARK: - What the client answers

extension Load {
  /// The client follows the redirect.
  func follow(_ redirect: HTTPURLResponse, to request: URLRequest) {
    let request = connection.overHTTP(request)
    tellRedirect(to: request)
    setCurrent(request)
    supersede(redirect, by: request)
  }

  /// Makes a response final for which the client knew nothing else: a redirect, or a challenge.
  func deliver(_ response: HTTPURLResponse) {
    if announce(response) == .proceed { readOn() }
  }

  /// Drops `response` for another request. A short body is read to its end first, so that the connection can be used
  /// again.
  func supersede(_ response: HTTPURLResponse, by request: URLRequest) {
    let length = (response as? LoadedResponse)?.lengthOnWire ?? response.expectedContentLength
    if machine.source == .transfer, (0...65_536).contains(length) {
      note(.drainingBegan(next: request))
      output = .discard
      transfer?.stopDecoding()
      readOn()
    } else {
      turn(to: request)
    }
  }

  func turn(to request: URLRequest) {
    output = .none
    let old = transfer
    transfer = nil
    old?.cancel()
    // A body that was given in place of the request's own does not go along where the method has none.
    if upload?.isAsking != true, ["GET", "HEAD"].contains(request.httpMethod ?? "GET") { body.drop() }
    send(request)
  }

  /// The client said where the body of `response` goes.
  func open(answer sink: BodySink, for response: URLResponse) {
    if case .multipart(let body) = output, sink.isPassedOn { return resume(body) }
    guard open(sink, for: response) else { return }
    readOn()
    finishIfComplete()
  }

  /// Keeps the response that the client is about to see.
  func show(_ response: URLResponse) {
    self.response = response
    note(.responseShown)
  }

  /// Announces the response to the client; proceed when the body may come at once.
  func announce(_ response: URLResponse) -> TransferFlow {
    if connection.hasHandshake { return refuse(response, "The server answered with another status than 101.") }
    show(response)
    guard let presetSink else {
      let question = ask(.sink(response))
      client?.load(self, didReceive: response, asking: question)
      return .pause
    }
    client?.load(self, didReceive: response, asking: nil)
    guard open(presetSink, for: response) else { return .proceed }
    finishIfComplete()
    return holds.isEmpty ? .proceed : .pause
  }

  /// Opens where the body goes; false when the load ended instead.
  private func open(_ sink: BodySink, for response: URLResponse) -> Bool {
    let expected = response.expectedContentLength
    switch sink {
    case .stream: output = .stream
    case .collect: output = .collect(BodyCollector(expecting: expected))
    case .file(let directory):
      cache.discard()
      output = .file(makeFileSink(in: directory, expecting: expected))
    case .refuse:
      end(LoadError.error(.cancelled, url: currentURL, description: "cancelled"))
      return false
    }
    return true
  }
}

// MARK: - The final response

extension Load {
  /// Takes the head of the final response, and announces it.
  private func concluded(by head: ResponseHead, _ response: HTTPURLResponse) -> TransferFlow {
    cache.note(head, to: currentRequest)
    switch presetSink {
    case .stream, .collect, .refuse: break
    case nil: resumption.keep(head)
    case .file:
      guard resumption.accept(head) else {
        setCurrent(originalRequest)
        turn(to: originalRequest)
        return .proceed
      }
    }
    return announce(response)
  }
}
