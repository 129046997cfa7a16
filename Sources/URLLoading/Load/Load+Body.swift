// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Transport

/// The bodies of request and response on their way, whatever brings them: a transfer, the cache, a local source, a connection of the
/// client's own. On the I/O thread.
extension Load {
  package func transfer(_ transfer: Transfer, didReceive bytes: UnsafeRawBufferPointer) -> TransferFlow {
    if connection.isOpen { return unsafe pass(bytes, of: transfer) }
    // Bytes may come while a part waits for its answer, since they come in the middle of a body.
    if case .multipart(let body) = output, self.transfer === transfer, !machine.isEnded {
      return unsafe take(bytes, of: body)
    }
    guard machine.isExchanging, self.transfer === transfer else { return .proceed }
    if !machine.isDraining { unsafe cache.append(bytes) }
    return unsafe take(bytes)
  }

  /// Gives bytes of the body to where they go.
  func take(_ bytes: UnsafeRawBufferPointer) -> TransferFlow {
    if !machine.isDraining {
      addReceived(bytes.count)
      partners?.progress?.load(self, didReceive: bytesReceived)
    }
    switch unsafe output.take(
      bytes, received: bytesReceived, sent: transfer?.receivedBodyBytes ?? .max, { unsafe append($0) })
    {
    case .taken: break
    case .bufferFull: return hold(.buffer)
    case .diskBusy: return hold(.disk)
    case .refused(let sentence):
      end(LoadError.error(.dataLengthExceedsMaximum, url: currentURL, description: sentence))
    }
    return holds.isEmpty ? .proceed : .pause
  }

  /// True when the buffer is full.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let appended = unsafe buffer?.append(bytes) else { return false }
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
}

// MARK: - Stored responses

extension Load {
  /// A stored response answers.
  func serve(_ answer: LoadCache.Answer) {
    guard let url = currentURL, let response = context.responses.response(for: answer, from: url) else {
      return failUncached()
    }
    cache.serve(answer)
    exchanges.begin(currentRequest)
    exchanges.note { exchange in
      exchange.response = response
      exchange.isFromCache = true
    }
    note(.sourceStarted(.cache))
    _ = announce(response)
    passStored()
  }

  /// Gives the receiver what it can take of a stored body.
  func passStored() {
    while cache.isServing, machine.isExchanging, holds.isEmpty {
      guard let piece = cache.nextPiece() else {
        note(.sourceEnded)
        return finishIfComplete()
      }
      unsafe piece.withUnsafeBytes { _ = unsafe take($0) }
    }
  }
}

// MARK: - Downloads

extension Load {
  /// The sink for a download: it continues the earlier file, or begins a new one.
  func makeFileSink(in directory: URL, expecting expected: Int64) -> FileSink {
    let transport = context.transport
    switch resumption.beginFile() {
    case .new(let isRestart):
      if isRestart { partners?.progress?.load(self, didResumeAt: 0, expected: expected) }
      return FileSink(in: directory, expecting: expected, transport: transport) { [weak self] in self?.reported($0) }
    case .behind(let file, let offset, let total):
      addReceived(Int(clamping: offset))
      partners?.progress?.load(self, didResumeAt: offset, expected: total)
      return FileSink(in: directory, after: (file, offset), expecting: total - offset, transport: transport) {
        [weak self] in self?.reported($0)
      }
    }
  }
}

// MARK: - Multipart bodies

extension Load {
  private func take(_ bytes: UnsafeRawBufferPointer, of body: MultipartBody) -> TransferFlow {
    addReceived(bytes.count)
    partners?.progress?.load(self, didReceive: bytesReceived)
    guard machine.isExchanging else {
      unsafe body.keep(bytes)
      return .pause
    }
    return unsafe perform(body.take(bytes) { unsafe append($0) })
  }

  private func perform(_ step: MultipartBody.Step) -> TransferFlow {
    switch step {
    case .taken(let isFull): return isFull ? hold(.buffer) : holds.isEmpty ? .proceed : .pause
    case .part(let response):
      show(response)
      let question = ask(.sink(response))
      guard let client else { return .proceed }
      flushBody(client)
      client.load(self, didReceive: response, asking: question)
      return .pause
    case .fault(let sentence):
      end(LoadError.error(.cannotParseResponse, url: currentURL, description: sentence))
      return .proceed
    }
  }

  /// The part that waited has its answer.
  func resume(_ body: MultipartBody) {
    _ = unsafe perform(body.takeRest { unsafe append($0) })
    guard machine.isExchanging else { return }
    readOn()
    finishIfComplete()
  }

  /// The whole message has arrived. False when the load does not end so: it had no part and is a response by itself, which is
  /// announced now, or it was cut, and the load ends as one whose connection was lost.
  func finish(_ body: MultipartBody) -> Bool {
    let ending = unsafe body.finish { unsafe append($0) }
    if case .raw(let response) = ending {
      _ = perform(.part(response))
      return false
    }
    output = .stream
    switch ending {
    case .complete, .raw: return true
    case .plain(let response): _ = announce(response)
    case .cut:
      end(LoadError.error(.networkConnectionLost, url: currentURL, description: "The last part has no end."))
    }
    return false
  }
}

// MARK: - Raw connections

extension Load {
  package func transferConnected(_ transfer: Transfer) {
    guard machine.isExchanging, self.transfer === transfer, case .bytes = connection.use else { return }
    connection.open()
    partners?.rawConnection?.load(self, didOpen: nil, protocolName: nil)
  }

  /// Lends the client the bytes that came over its connection.
  private func pass(_ bytes: UnsafeRawBufferPointer, of transfer: Transfer) -> TransferFlow {
    guard machine.isExchanging, self.transfer === transfer, let client = partners?.rawConnection else { return .pause }
    addReceived(bytes.count)
    guard unsafe client.load(self, didReceive: bytes) else { return hold(.buffer) }
    return holds.isEmpty ? .proceed : .pause
  }

  package func transferSecured(_ transfer: Transfer) {
    guard machine.isExchanging, self.transfer === transfer else { return }
    partners?.rawConnection?.loadSecured(self)
  }

  package func transfer(_ transfer: Transfer, waitsFor decision: TransferFailure) {
    guard machine.isExchanging, self.transfer === transfer else { return }
    if !asks(after: transfer, decision) { end(error(for: decision, of: transfer)) }
  }

  package func transferReachedEndOfInput(_ transfer: Transfer) {
    guard machine.isExchanging, self.transfer === transfer else { return }
    partners?.rawConnection?.loadReachedEndOfInput(self)
  }
}

// MARK: - While the request is sent

/// Interim responses (RFC 9110 section 15.2), and the progress of sending.
extension Load {
  package func transfer(_ transfer: Transfer, didReceiveInterim head: ResponseHead) {
    guard machine.isExchanging, self.transfer === transfer, let url = currentURL,
      let response = LoadedResponse(head, url: url)
    else { return }
    upload?.note(head, from: url)
    partners?.progress?.load(self, didReceiveInterim: response)
  }

  package func transfer(_ transfer: Transfer, didSend total: Int64) {
    guard machine.isExchanging, self.transfer === transfer else { return }
    if connection.isOpen {
      partners?.rawConnection?.load(self, didTake: total)
      return
    }
    let base = upload?.base ?? 0
    noteSent(base + total, expected: transfer.bodyLength < 0 ? -1 : base + transfer.bodyLength)
    exchanges.note { $0.bodySent = Date() }
  }

  /// Bytes of the request's body that were sent so far.
  func noteSent(_ total: Int64, expected: Int64) {
    setSent(total)
    partners?.progress?.load(self, didSend: total, expected: expected)
  }
}

// MARK: - A connection that belongs to the client

extension Load {
  /// Ends our direction once all is sent that waits.
  package func endSending() {
    Self.assertOnThread()
    if connection.isOpen { transfer?.endSending() }
  }

  /// Reads on after the client wanted no more bytes.
  package func resumeReading() {
    Self.assertOnThread()
    release(.buffer)
  }
}
