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
    Transport.assertOnThread()
    guard let rawSocket else { return }
    rawSocket.append(bytes)
    if !rawSocket.isBusy { writeRawSocket() }
  }

  /// Ends our direction once all that waits is sent; the peer may continue. On the I/O thread only.
  public func endSending() {
    Transport.assertOnThread()
    guard let rawSocket else { return }
    rawSocket.endOutput()
    if !rawSocket.isBusy { writeRawSocket() }
  }

  // MARK: - Under way

  /// libcurl has made the connection.
  func openRawSocket(_ handle: EasyHandle) {
    var head: [UInt8]?
    if case .upgrade(let name) = request.use { head = UpgradeRequest.head(of: request, to: name) }
    guard let rawSocket = RawSocket(handle, isSecure: request.isSecure, head: head) else {
      return end(TransferFailure(.connectionLost, description: "The connection was lost as soon as it was made."))
    }
    self.rawSocket = rawSocket
    machine.moved(now: now)
    if head == nil {
      machine.handedOver()
      consumer.transferConnected(self)
    }
    readRawSocket()
  }

  /// The socket can be read or written, or has failed.
  func rawSocketReady() {
    readRawSocket()
  }

  /// Sends what the system takes, and reads what there is.
  func readRawSocket() {
    guard let rawSocket, !rawSocket.isBusy else { return }
    guard shakeHands(rawSocket) else { return }
    rawSocket.isBusy = true
    let isDone = writeSome(rawSocket) && deliverRest(rawSocket) && readSome(rawSocket) && writeSome(rawSocket)
    rawSocket.isBusy = false
    if isDone, self.rawSocket === rawSocket { watchRawSocket(rawSocket) }
  }

  private func writeRawSocket() {
    guard let rawSocket, rawSocket.isReady else { return }
    rawSocket.isBusy = true
    let isDone = writeSome(rawSocket)
    rawSocket.isBusy = false
    if isDone, self.rawSocket === rawSocket { watchRawSocket(rawSocket) }
  }

  private func watchRawSocket(_ rawSocket: RawSocket) {
    pool.watch(rawSocket, of: self, for: rawSocket.events(reads: !machine.isPaused))
  }

  // MARK: - Bytes

  /// False when the transfer has ended, or goes over to TLS; so it is for all of these.
  private func writeSome(_ rawSocket: RawSocket) -> Bool {
    let before = rawSocket.sent
    let failure = rawSocket.flush()
    if rawSocket.line != nil { machine.moved(now: now) }
    if rawSocket.sent > max(before, rawSocket.headBytes) {
      consumer.transfer(self, didSend: rawSocket.sent - rawSocket.headBytes)
    }
    guard mayContinue(rawSocket) else { return false }
    guard let failure else { return true }
    // The bytes that the peer sent before it closed are delivered first.
    guard readSome(rawSocket) else { return false }
    endRawSocket(failure)
    return false
  }

  private func readSome(_ rawSocket: RawSocket) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.receiveSize, alignment: 16) { buffer in
      for _ in 0..<Self.turns {
        guard !machine.isPaused, !rawSocket.hasInputEnded else { return true }
        switch unsafe rawSocket.receive(into: buffer) {
        case .wait: return true
        case .bytes(let count):
          unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), rawSocket)
          guard mayContinue(rawSocket) else { return false }
          // The kernel reports all that comes behind a plain socket's last bytes, its end among it.
          if count < buffer.count, rawSocket.isPlain { return true }
        case .end: return inputEnded(rawSocket)
        case .failed(let code):
          endRawSocket(code)
          return false
        }
      }
      // Over TLS the socket does not report what was read already.
      pool.thread.post { [self] in readRawSocket() }
      return true
    }
  }

  private func deliverRest(_ rawSocket: RawSocket) -> Bool {
    guard !rawSocket.rest.isEmpty, !machine.isPaused else { return true }
    let rest = rawSocket.rest
    rawSocket.rest = []
    unsafe rest.withUnsafeBytes { unsafe take($0, rawSocket) }
    return mayContinue(rawSocket)
  }

  /// True if the consumer has neither ended the transfer nor asked for TLS meanwhile, whose handshake comes in a turn of its
  /// own.
  private func mayContinue(_ rawSocket: RawSocket) -> Bool { self.rawSocket === rawSocket && rawSocket.isReady }

  /// Delivers bytes, or keeps them while the consumer wants none.
  private func take(_ bytes: UnsafeRawBufferPointer, _ rawSocket: RawSocket) {
    var bytes = unsafe bytes
    if rawSocket.line != nil {
      machine.moved(now: now)
      while let end = unsafe bytes.firstIndex(of: 10), rawSocket.line != nil, self.rawSocket === rawSocket {
        unsafe headBytes(UnsafeRawBufferPointer(rebasing: bytes[...end]), rawSocket)
        unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
      }
      guard self.rawSocket === rawSocket else { return }
      if rawSocket.line != nil { return unsafe headBytes(bytes, rawSocket) }
    }
    guard unsafe !bytes.isEmpty else { return }
    guard !machine.isPaused else { return unsafe rawSocket.rest.append(contentsOf: bytes) }
    if unsafe forward(bytes) == .pause { pauseOnThread() }
  }

  /// A part of a head's line, or the rest of one.
  private func headBytes(_ bytes: UnsafeRawBufferPointer, _ rawSocket: RawSocket) {
    unsafe rawSocket.line?.append(contentsOf: bytes)
    guard let line = rawSocket.line, line.last == 10 || line.count > HeadJudge.headLimit else { return }
    rawSocket.line = []
    switch machine.headLine(line.span, now: now) {
    case .more, .trailer: break
    case .interim(let head): deliverInterim(head)
    case .final(let head): finalHead(head, rawSocket)
    case .fault(let failure): end(failure)
    }
  }

  private func finalHead(_ head: ResponseHead, _ rawSocket: RawSocket) {
    rawSocket.line = nil
    // Not the turn's `now`: within one turn libcurl may have made the connection and the answer come, and libcurl's times
    // are those of the moment.
    rawSocket.answered = MonotonicClock.now
    machine.handedOver()
    deliver(head)
    // Whatever its body says, it is not what was asked for.
    if head.status != 101, self.rawSocket === rawSocket { end(nil) }
  }

  /// False when the transfer has ended.
  private func inputEnded(_ rawSocket: RawSocket) -> Bool {
    guard rawSocket.line == nil else {
      end(TransferFailure(.connectionLost, description: "The connection was closed within the response's head."))
      return false
    }
    guard judge?.hasSaidGoodbye ?? !rawSocket.wasReset else {
      endRawSocket(CURLE_RECV_ERROR)
      return false
    }
    rawSocket.hasInputEnded = true
    consumer.transferReachedEndOfInput(self)
    return self.rawSocket === rawSocket
  }

  private func endRawSocket(_ code: CURLcode) {
    unsafe end(
      TransferFailure(
        clientFault(code) ?? .connectionLost, curlCode: Int32(code.rawValue),
        description: "The connection was lost. " + String(cString: curl_easy_strerror(code)) + "."))
  }

  // MARK: - Metrics

  /// Adds the metrics that libcurl does not know of such a transfer.
  func complete(_ metrics: inout TransferMetrics, _ rawSocket: RawSocket) {
    metrics.total = .nanoseconds(MonotonicClock.now - began)
    metrics.requestStarted = metrics.requestStarted ?? metrics.secured ?? metrics.connected
    if let secured = rawSocket.secured { metrics.secured = .nanoseconds(secured - began) }
    metrics.responseStarted = rawSocket.answered.map { .nanoseconds($0 - began) }
    metrics.requestHeadBytes = rawSocket.headBytes
    metrics.requestBodyBytes = max(0, rawSocket.sent - rawSocket.headBytes)
    metrics.responseBodyBytes = rawSocket.received
    metrics.decodedBodyBytes = rawSocket.received
    if let head = machine.head { metrics.protocolName = head.version == "HTTP/1.0" ? "http/1.0" : "http/1.1" }
  }
}
