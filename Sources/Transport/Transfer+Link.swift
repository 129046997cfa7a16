// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc
import Timeline

/// A transfer whose connection is no exchange's: libcurl makes it, then bytes pass here, on the I/O thread.
///
/// The same judges stand at the door: certificates are judged in the handshake, the head of an answer line by line.
extension Transfer {
  /// Bytes to read at a time, and how often in a row before others get their turn.
  private static let receiveSize = 64 * 1024
  private static let turns = 8

  /// Sends bytes after all that were sent before; what the system does not take at once waits here. Nothing is sent on an
  /// exchange's connection, before there is a connection or after `endSending()`. On the I/O thread only.
  public func send(_ bytes: [UInt8]) {
    guard let link else { return }
    link.append(bytes)
    if !link.isBusy { writeLink() }
  }

  /// Ends our direction once all that waits is sent; the peer may go on. On the I/O thread only.
  public func endSending() {
    guard let link else { return }
    link.endOutput()
    if !link.isBusy { writeLink() }
  }

  // MARK: - Under way

  /// libcurl has made the connection.
  func openLink(_ handle: EasyHandle) {
    var head: [UInt8]?
    if case .upgrade(let name) = request.use { head = UpgradeRequest.head(of: request, to: name) }
    guard let link = Link(handle, isSecure: request.isSecure, head: head) else {
      return end(TransferFailure(.connectionLost, description: "The connection was lost as soon as it was made."))
    }
    self.link = link
    machine.moved(now: now)
    if head == nil {
      machine.handedOver()
      consumer.transferConnected(self)
    }
    readLink()
  }

  /// The socket can be read or written, or has failed.
  func linkReady() {
    readLink()
  }

  /// Sends what the system takes, and reads what there is.
  func readLink() {
    guard let link, !link.isBusy else { return }
    guard shakeHands(link) else { return }
    link.isBusy = true
    let isDone = writeSome(link) && deliverRest(link) && readSome(link) && writeSome(link)
    link.isBusy = false
    if isDone, self.link === link { watchLink(link) }
  }

  private func writeLink() {
    guard let link, link.isReady else { return }
    link.isBusy = true
    let isDone = writeSome(link)
    link.isBusy = false
    if isDone, self.link === link { watchLink(link) }
  }

  private func watchLink(_ link: Link) {
    pool.watch(link, of: self, for: link.events(reads: !machine.isPaused))
  }

  // MARK: - Bytes

  /// False when the transfer has ended, or goes over to TLS; so it is for all of these.
  private func writeSome(_ link: Link) -> Bool {
    let before = link.sent
    let failure = link.flush()
    if link.line != nil { machine.moved(now: now) }
    if link.sent > max(before, link.headBytes) { consumer.transfer(self, didSend: link.sent - link.headBytes) }
    guard goesOn(link) else { return false }
    guard let failure else { return true }
    // What the peer said before it closed comes first.
    guard readSome(link) else { return false }
    endLink(failure)
    return false
  }

  private func readSome(_ link: Link) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: Self.receiveSize, alignment: 16) { buffer in
      for _ in 0..<Self.turns {
        guard !machine.isPaused, !link.hasInputEnded else { return true }
        switch link.receive(into: buffer) {
        case .wait: return true
        case .bytes(let count):
          take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), link)
          guard goesOn(link) else { return false }
        case .end: return inputEnded(link)
        case .failed(let code):
          endLink(code)
          return false
        }
      }
      // Over TLS what was read already would wake nobody.
      pool.thread.post { [self] in readLink() }
      return true
    }
  }

  private func deliverRest(_ link: Link) -> Bool {
    guard !link.rest.isEmpty, !machine.isPaused else { return true }
    let rest = link.rest
    link.rest = []
    rest.withUnsafeBytes { take($0, link) }
    return goesOn(link)
  }

  /// Whether the consumer has neither ended the transfer nor asked for TLS meanwhile, whose handshake comes in a turn of its
  /// own.
  private func goesOn(_ link: Link) -> Bool { self.link === link && link.isReady }

  /// Hands bytes over, or keeps them while the consumer wants none.
  private func take(_ bytes: UnsafeRawBufferPointer, _ link: Link) {
    var bytes = bytes
    if link.line != nil {
      machine.moved(now: now)
      while let end = bytes.firstIndex(of: 10), link.line != nil, self.link === link {
        headBytes(UnsafeRawBufferPointer(rebasing: bytes[...end]), link)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
      }
      guard self.link === link else { return }
      if link.line != nil { return headBytes(bytes, link) }
    }
    guard !bytes.isEmpty else { return }
    guard !machine.isPaused else { return link.rest.append(contentsOf: bytes) }
    if forward(bytes) == .pause { pauseOnThread() }
  }

  /// A part of a head's line, or the rest of one.
  private func headBytes(_ bytes: UnsafeRawBufferPointer, _ link: Link) {
    link.line?.append(contentsOf: bytes)
    guard let line = link.line, line.last == 10 || line.count > HeadJudge.headLimit else { return }
    link.line = []
    switch line.withUnsafeBytes({ machine.headLine($0, now: now) }) {
    case .more, .trailer: break
    case .interim(let head): deliverInterim(head)
    case .final(let head): finalHead(head, link)
    case .fault(let failure): end(failure)
    }
  }

  private func finalHead(_ head: ResponseHead, _ link: Link) {
    link.line = nil
    // Not the turn's `now`: within one turn libcurl may have made the connection and the answer come, and libcurl's times
    // are those of the moment.
    link.answered = MonotonicClock.now
    machine.handedOver()
    deliver(head)
    // Whatever its body says, it is not what was asked for.
    if head.status != 101, self.link === link { end(nil) }
  }

  /// False when the transfer has ended.
  private func inputEnded(_ link: Link) -> Bool {
    guard link.line == nil else {
      end(TransferFailure(.connectionLost, description: "The connection was closed within the response's head."))
      return false
    }
    guard judge?.hasSaidGoodbye ?? !link.wasReset else {
      endLink(CURLE_RECV_ERROR)
      return false
    }
    link.hasInputEnded = true
    consumer.transferReachedEndOfInput(self)
    return self.link === link
  }

  private func endLink(_ code: CURLcode) {
    end(
      TransferFailure(
        clientFault(code) ?? .connectionLost, curlCode: Int32(code.rawValue),
        description: "The connection was lost. " + String(cString: curl_easy_strerror(code)) + "."))
  }

  // MARK: - Metrics

  /// What libcurl does not know of such a transfer.
  func complete(_ metrics: inout TransferMetrics, _ link: Link) {
    metrics.total = .nanoseconds(MonotonicClock.now - began)
    metrics.requestStarted = metrics.requestStarted ?? metrics.secured ?? metrics.connected
    if let secured = link.secured { metrics.secured = .nanoseconds(secured - began) }
    metrics.responseStarted = link.answered.map { .nanoseconds($0 - began) }
    metrics.requestHeadBytes = link.headBytes
    metrics.requestBodyBytes = max(0, link.sent - link.headBytes)
    metrics.responseBodyBytes = link.received
    metrics.decodedBodyBytes = link.received
    if let head = machine.head { metrics.protocolName = head.version == "HTTP/1.0" ? "http/1.0" : "http/1.1" }
  }
}
