// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Transport

/// The course of a load, on the I/O thread.
extension Load {
  func begin() {
    guard phase == .created else { return }
    keepsExchanges = client?.wantsExchanges ?? false
    let total = context.configuration.totalTimeout
    if total > 0, total < 1e9 { deadline = .now + .seconds(total) }
    if resumption.record != nil { return openPartial() }
    if let (record, directory) = resumedUpload { return openUpload(record, in: directory) }
    if case .bytes = use { return connect() }
    let request = CanonicalURL.request(originalRequest)
    setCurrent(request)
    send(request)
  }

  /// Starts the transfer of `request` with this body; nil when it has none.
  func transmit(_ request: URLRequest, _ body: TransferBody?) {
    stopWatching()
    do throws(URLError) {
      var transferRequest = try RequestRules.transferRequest(
        for: request, body: body, configuration: context.configuration)
      authorize(&transferRequest, for: request)
      transferRequest.subject = subject
      transferRequest.isMeasured = keepsExchanges
      phase = .running
      hasTransferEnded = false
      addUploadFields(to: &transferRequest)
      if bytesSent > 0, upload?.machine.step != .offset { noteSent(upload?.base ?? 0, expected: -1) }
      try upgrade(&transferRequest)
      addCookies(to: transferRequest, of: request) { self.consultCache($0, for: request) }
    } catch {
      phase = .running
      end(error)
    }
  }

  /// The one end, whatever led to it. A file that is not wanted any more is gone before the client hears of it.
  func end(_ error: URLError?) {
    guard phase != .ended, let client else { return }
    phase = .ended
    if !hasTransferEnded { transfer?.cancel() }
    transfer = nil
    dropFeed()
    connectivity.observation = nil
    self.client = nil
    stopWatching()
    flushBody(client)
    var end = LoadEnd(error: error, body: nil, file: finishedFile)
    end.partial = untouchedPartial(after: error)
    end.partialUpload = partialUpload(after: error)
    (end.exchanges, end.redirectCount) = (exchanges, redirectCount)
    if case .collect(let collector) = output { end.body = collector.take() }
    if case .file(let sink) = output, finishedFile == nil {
      leave(sink, end, client)
    } else {
      client.load(self, didEnd: end)
    }
    output = .none
  }

  func finishIfComplete() {
    guard phase == .running, hasTransferEnded else { return }
    if case .parts(let parts) = output, !finish(parts) { return }
    if offersToCache() { return }
    guard case .file(let sink) = output else { return end(nil) }
    if let fault = faultOfResumedFile { end(fault) } else { sink.finish() }
  }

  func hold(_ reason: Hold) -> TransferFlow {
    holds.insert(reason)
    return .pause
  }

  func release(_ reason: Hold) {
    guard holds.contains(reason) else { return }
    holds.remove(reason)
    guard holds.isEmpty else { return }
    transfer?.resumeAtOnce()
    feedServed()
    drainFeed()
  }
}

// MARK: - Answers

extension Load {
  func answered(follow request: URLRequest?) {
    guard phase == .awaitingFollow, let redirect else { return }
    phase = .running
    stopWatching()
    guard let request = request.map({ overHTTP($0) }) else {
      self.redirect = nil
      if announce(redirect.response) == .proceed { release(.answer) }
      return
    }
    setCurrent(request)
    supersede(redirect.response, by: request)
  }

  /// Drops `response` for another request. A short body is read to its end first, so that the connection can be used
  /// again.
  func supersede(_ response: HTTPURLResponse, by request: URLRequest) {
    let length = (response as? LoadedResponse)?.lengthOnWire ?? response.expectedContentLength
    if !hasTransferEnded, (0...65_536).contains(length) {
      redirect = (response, request)
      output = .discard
      release(.answer)
    } else {
      goOn(with: request)
    }
  }

  func goOn(with request: URLRequest) {
    redirect = nil
    output = .none
    holds.remove(.answer)
    let old = transfer
    transfer = nil
    old?.cancel()
    redirected(to: request)
    send(request)
  }

  func answered(sink: BodySink) {
    guard phase == .awaitingSink, let response else { return }
    phase = .running
    stopWatching()
    if case .parts(let parts) = output, sink.isPassedOn { return goOn(with: parts) }
    guard open(sink, for: response) else { return }
    release(.answer)
    finishIfComplete()
  }

  /// Tells the client of the response; proceed when the body may come at once.
  func announce(_ response: URLResponse) -> TransferFlow {
    if link.handshake != nil { return refuse(response, "The server answered with another status than 101.") }
    self.response = response
    guard let presetSink else {
      phase = .awaitingSink
      let flow = hold(.answer)
      client?.load(self, didReceive: response)
      return flow
    }
    client?.load(self, didReceive: response)
    guard open(presetSink, for: response) else { return .proceed }
    finishIfComplete()
    return holds.subtracting(.answer).isEmpty ? .proceed : .pause
  }

  /// Opens where the body goes; false when the load ended instead.
  private func open(_ sink: BodySink, for response: URLResponse) -> Bool {
    let expected = response.expectedContentLength
    switch sink {
    case .stream: output = .stream
    case .collect: output = .collect(BodyCollector(expecting: expected))
    case .file(let directory):
      exchange = nil
      output = .file(makeFileSink(in: directory, expecting: expected))
    case .refuse:
      end(LoadError.error(.cancelled, url: currentURL, description: "cancelled"))
      return false
    }
    return true
  }
}

// MARK: - The transfer's facts

extension Load: TransferConsumer {
  package func transfer(_ transfer: Transfer, didReceive head: ResponseHead) -> TransferFlow {
    guard phase == .running, self.transfer === transfer else { return .proceed }
    return storesCookies(of: head) ? .pause : received(head)
  }

  /// What a response means; its cookies are stored.
  func received(_ head: ResponseHead) -> TransferFlow {
    guard let url = currentURL else { return .proceed }
    guard let response = context.responses.response(for: head, from: shown(url)) else {
      end(LoadError.error(.cannotParseResponse, url: url, description: "The response's head cannot be represented."))
      return .proceed
    }
    noteAcceptance(head.status)
    noteProxyAcceptance(head.status)
    noteExchange { $0.response = response }
    let location = head.status >= 300 ? head.value(of: "Location") : nil
    switch RedirectRules.outcome(status: head.status, location: location, request: currentRequest) {
    case .final:
      if validated(by: head) { return .proceed }
      if let flow = challenged(by: head, response) ?? challengedByProxy(head, response)
        ?? upgraded(by: head, response) ?? uploadOffset(in: head, response) ?? parted(by: head, response)
      {
        return flow
      }
      noteForCache(head)
      return concluded(by: head, response)
    case .unusable:
      end(
        LoadError.error(
          .redirectToNonExistentLocation, url: url,
          description: "The redirect leads to '\(LoadError.excerpt(location ?? ""))', which is no URL."))
      return .proceed
    case .follow(let request):
      noteForCache(head)
      return redirected(by: response, to: request)
    }
  }

  func redirected(by response: HTTPURLResponse, to request: URLRequest) -> TransferFlow {
    redirectCount += 1
    guard redirectCount <= RedirectRules.limit else {
      end(LoadError.error(.httpTooManyRedirects, url: currentURL, description: "too many HTTP redirects"))
      return .proceed
    }
    redirect = (response, nil)
    phase = .awaitingFollow
    let flow = hold(.answer)
    client?.load(self, willFollow: response, to: request)
    return flow
  }

  package func transfer(_ transfer: Transfer, didReceive bytes: UnsafeRawBufferPointer) -> TransferFlow {
    if link.isOpen { return linked(bytes, of: transfer) }
    // Bytes may come while a part waits for its answer, since they come in the middle of a body.
    if case .parts(let parts) = output, self.transfer === transfer, phase != .ended { return take(bytes, of: parts) }
    guard phase == .running, self.transfer === transfer else { return .proceed }
    if redirect == nil { exchange?.kept?.body.append(bytes) }
    return take(bytes)
  }

  /// Gives bytes of the body to where they go.
  func take(_ bytes: UnsafeRawBufferPointer) -> TransferFlow {
    if redirect == nil {
      addReceived(bytes.count)
      client?.load(self, didReceive: bytesReceived)
    }
    switch output {
    case .none, .discard, .parts: break
    case .stream: if append(bytes) { return hold(.buffer) }
    case .collect(let collector):
      if !collector.append(bytes) { refuseBody("There is no memory for the whole body.") }
      if GrowthRule.isBomb(decoded: bytesReceived, sent: transfer?.receivedBodyBytes ?? .max) {
        refuseBody("The body grows to more than \(GrowthRule.densest) times what was sent.")
      }
    case .file(let sink): if !sink.append(bytes) { return hold(.disk) }
    }
    return holds.isEmpty ? .proceed : .pause
  }

  package func transfer(_ transfer: Transfer, didEnd failure: TransferFailure?, metrics: TransferMetrics) {
    guard self.transfer === transfer, phase != .ended else { return }
    // A redirect that is being followed has said what it had to say, whatever becomes of its body.
    if let request = redirect?.draining { return goOn(with: request) }
    if let failure, sendsAgain(after: failure) || waitsForConnectivity(after: failure) { return }
    if let failure, asks(after: transfer, failure) { return }
    if let failure, goesOnWithUpload(after: failure, error(for: failure, of: transfer)) { return }
    if let failure { return end(error(for: failure, of: transfer)) }
    hasTransferEnded = true
    watchTotalTime()
    finishIfComplete()
  }
}

// MARK: - The body

extension Load {
  /// True when the buffer is full.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let appended = buffer?.append(bytes) else { return false }
    if appended.isWorthwhile {
      if let client { flushBody(client) }
    } else if appended.needsAnnouncement, !flushIsPlanned {
      flushIsPlanned = true
      Transport.whenIdle {
        self.flushIsPlanned = false
        if let client = self.client { self.flushBody(client) }
      }
    }
    return appended.isFull
  }

  func flushBody(_ client: any LoadClient) {
    if buffer?.announce() == true { client.loadHasBody(self) }
  }

  private func refuseBody(_ sentence: String) {
    end(LoadError.error(.dataLengthExceedsMaximum, url: currentURL, description: sentence))
  }
}
