// SPDX-License-Identifier: Apache-2.0
import CCurl
import HTTPRules
import Timeline

/// One exchange under way: a handle to steer it from any thread.
public final class Transfer: @unchecked Sendable {
  // Sendable: `request`, `consumer`, `pool` and `origin` never change; all other state is touched on the I/O thread
  // alone, to which every public method posts.
  let request: TransferRequest
  let origin: String
  let pool: ConnectionPool
  let consumer: any TransferConsumer

  enum Phase { case created, running, draining, ended }
  private(set) var phase = Phase.created
  var machine: TransferMachine
  private(set) var reader: BodyReader?
  var decoder: DecoderChain?
  private(set) var handle: EasyHandle?
  /// True if it stands still until others had their turn (`DecoderChain.Turn.over`).
  var awaitsTurn = false
  /// Bytes of the response's body, decoded, that were delivered.
  var decodedBodyBytes: Int64 = 0
  /// The judge of the certificates of the connection, over TLS.
  var judge: PeerJudge?
  /// The tunnel that a proxy is asked for, until it stands.
  var tunnel: ProxyTunnel?
  /// True if the connection was made for this transfer.
  var hasMadeConnection = false
  /// The connection's socket, once the request is about to be sent.
  var socket: Int32?
  /// True if libcurl was ever given the transfer.
  private(set) var wasLaunched = false
  /// Sockets that were made for this transfer.
  var freshSockets: [Int32] = []
  /// The connection, where it is not for an exchange, once it stands.
  var rawSocket: RawSocket?
  /// Bytes that libcurl left in the socket as it closed it.
  var unread: [UInt8] = []
  /// The connection that the request was sent on, until the transfer leaves it.
  var connection: KnownConnection?
  /// What `LastRecords.headFollows` said.
  var doubts = 0
  /// The number of the record behind which a piece of the answer was handed over last (`LastRecords.reads`).
  var lastRead = -1
  /// True if the connection counts this transfer among those that listen to libcurl's log.
  var isListening = false
  /// The answer within a login that may continue.
  var heldHead: ResponseHead?
  /// How often an idle connection was closed for it; each frees one descriptor.
  private var roomTries = 0
  private static let mostRoomTries = 4
  /// The part of the body that the peer has not acknowledged, once some of it was sent.
  var sendQueue: SendQueue?
  /// How fast the body arrives, where it may be fast.
  var burst: Burst?
  /// True if the transfer lives on when its transport is shut down.
  private(set) var isIndependent = false
  /// When the transfer began, in nanoseconds of the monotonic clock.
  private(set) var began: Int64 = 0
  private var finalMetrics: FinalMetrics?

  /// In a box, so that a transfer stays below 1,032 bytes: glibc keeps freed blocks up to that size at hand for each thread;
  /// a larger one costs a search.
  private final class FinalMetrics {
    let value: TransferMetrics
    init(_ value: TransferMetrics) { self.value = value }
  }

  init(_ request: consuming TransferRequest, consumer: any TransferConsumer, pool: ConnectionPool) {
    self.consumer = consumer
    self.pool = pool
    origin = Self.origin(of: request.url)
    machine = TransferMachine(
      method: request.method, use: request.use,
      idleLimit: request.idleTimeout.map(MonotonicClock.nanoseconds),
      totalLimit: request.totalTimeout.map(MonotonicClock.nanoseconds), showsChunks: CurlFacts.current.showsChunks,
      now: MonotonicClock.now)
    self.request = request
  }

  /// Scheme, host and port as written: the part before the path.
  private static func origin(of url: String) -> String {
    let bytes = url.utf8.span
    var slashes = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      slashes += 1
      if slashes == 3 { return String(url.utf8.prefix(index)) ?? url }
    }
    return url
  }

  /// Bytes of the request's body, or -1 when unknown beforehand. On the I/O thread, once the transfer runs.
  public var bodyLength: Int64 { reader?.length ?? -1 }

  /// The metrics so far, or in all once the transfer has ended. On the I/O thread.
  public var metrics: TransferMetrics { finalMetrics?.value ?? collectMetrics() }

  /// Bytes of the response's body so far, before decoding. On the I/O thread.
  public var receivedBodyBytes: Int64 { machine.bodyBytes }

  /// Ends the transfer as cancelled, unless it has ended. Any thread.
  public func cancel() {
    pool.thread.post { self.cancelOnThread() }
  }

  /// Continues reading after a `pause`, the consumer's or `pause()`. Any thread.
  public func resume() {
    pool.thread.post { self.resumeOnThread() }
  }

  /// Stops reading until it is resumed; what libcurl has read already waits. On the I/O thread only; before the
  /// transfer has begun, too.
  public func pauseAtOnce() {
    Transport.assertOnThread()
    // A pause outlasts the turn that it would otherwise wait for.
    awaitsTurn = false
    machine.paused()
  }

  /// `resume()` at once: on the I/O thread only, and not from within a consumer's call. A posted one could overtake a
  /// pause that the consumer answers meanwhile, and bytes would arrive that the consumer is not ready for.
  public func resumeAtOnce() {
    Transport.assertOnThread()
    resumeOnThread()
  }

  /// Takes what is left of the response's body as it was sent: a consumer that drops it need not have it decoded. On the I/O
  /// thread only.
  public func stopDecoding() {
    Transport.assertOnThread()
    decoder = nil
  }

  /// Lets the transfer live on when its transport is shut down or gone, and its time-outs run no more: it ends when the
  /// peer ends it or the client cancels it. On the I/O thread only.
  public func becomeIndependent() {
    Transport.assertOnThread()
    isIndependent = true
    machine.becameIndependent()
  }

  /// A `BodySource` that answered `wait` has bytes again. Any thread.
  public func resumeSending() {
    pool.thread.post {
      guard self.phase == .running, let handle = self.handle else { return }
      self.unpause(handle, self.machine.isPaused ? CURLPAUSE_RECV : CURLPAUSE_CONT)
    }
  }
}

// MARK: - On the I/O thread

extension Transfer {
  var hasEnded: Bool { phase == .ended }
  var isRunning: Bool { phase == .running }
  var now: Int64 { pool.thread.now }

  func begin() {
    Transport.assertOnThread()
    guard phase == .created else { return }
    phase = .running
    began = now
    Timeline.emit(.transfer(.started), subject: request.subject)
    if case .none = request.body { reader = nil } else { reader = BodyReader(request.body) }
    if let failure = reader?.failure ?? unsendable {
      end(failure)
    } else {
      pool.begin(self)
    }
  }

  private var unsendable: TransferFailure? {
    guard HeaderField.isToken(request.method) else {
      return TransferFailure(.unsendableField, description: "'\(request.method)' is not a method.")
    }
    guard let field = request.fields.first(where: { !$0.isSendable }) else { return nil }
    return TransferFailure(
      .unsendableField,
      description: "The header field '\(field.name)' cannot be sent: its name or value would break the message.")
  }

  func take(_ handle: EasyHandle) {
    self.handle = handle
    wasLaunched = true
    configure(handle)
  }

  func cancelOnThread() {
    Transport.assertOnThread()
    guard phase != .ended else { return }
    end(TransferFailure(.cancelled, description: "The transfer was cancelled."))
  }

  func timedOut() {
    // The answer is whole, and the server waits for nothing more: what stands still is the rest of the request.
    if holdsWholeAnswer { return end(nil) }
    end(
      TransferFailure(
        .timedOut, curlCode: Int32(CURLE_OPERATION_TIMEDOUT.rawValue), description: "The request timed out."))
  }

  /// Drops everything without a word: the process is about to end.
  func abandon() {
    phase = .ended
    leaveConnection()
    if let handle { pool.release(self, handle) }
    handle = nil
  }

  /// The one end, whatever led to it.
  func end(_ failure: TransferFailure?) {
    Transport.assertOnThread()
    guard phase != .ended else { return }
    let metrics = metrics
    if request.isMeasured { finalMetrics = FinalMetrics(metrics) }
    enter(.ended)
    pool.remove(self)
    Timeline.emit(.transfer(.ended), subject: request.subject)
    consumer.transfer(self, didEnd: failure, metrics: metrics)
  }

  /// The transfer needs no more room than it has.
  func leaveRoom() {
    if roomTries > 0 { pool.foundRoom() }
  }

  private func enter(_ next: Phase) {
    phase = next
    leaveRoom()
    leaveConnection()
    if !freshSockets.isEmpty { pool.thread.connections.keep(freshSockets.filter(pool.thread.isOpen), judge) }
    if let socket, pool.thread.uploads[socket] === self { pool.thread.uploads[socket] = nil }
    if let handle { pool.release(self, handle) }
    handle = nil
    rawSocket = nil
  }

  func curlEnded(_ code: CURLcode) {
    guard phase == .running, let handle, rawSocket == nil else { return }
    let code = isUnknownHost(code, handle) ? CURLE_COULDNT_RESOLVE_HOST : code
    if code != CURLE_OK, looksForRoom(after: code) { return pool.beginInRoom(self, handle) }
    deliverHeldHead()
    if let failure = reader?.failure { machine.failed(failure) }
    if judge?.isUndecided == true { machine.failed(.undecided) }
    // A TLS 1.2 server that wants a certificate does not wait until a connection stands.
    if code != CURLE_OK, isIdentityUndecided { machine.failed(.identityUndecided) }
    if let failure = tunnelFailure(code) { machine.failed(failure) }
    if let cause = clientFault(code) {
      machine.failed(TransferFailure(cause, curlCode: Int32(code.rawValue), description: message(code)))
    }
    if code == CURLE_OK, request.use != .exchange, machine.isConnected { return openRawSocket(handle) }
    if readsRefusal(after: code) {
      finalMetrics = FinalMetrics(collectMetrics())
      enter(.draining)
      return deliverRefusal()
    }
    if code != CURLE_OK { wakeNeighbours() }
    let holdsRest = decoder?.hasWaitingInput ?? false
    let action = machine.curlEnded(
      code, description: message(code), verifyResult: handle.long(CURLINFO_SSL_VERIFYRESULT),
      systemError: systemError(of: handle), isContentComplete: holdsRest || decoder?.isComplete ?? true,
      isEndReported: judge?.hasSaidGoodbye ?? true,
      stream: streamEnd(isCoded: !holdsRest && decoder?.isComplete == true))
    switch action {
    case .again where rewind():
      leaveConnection()
      pool.beginAgain(self, handle, onNewConnection: machine.needsNewConnection)
    case .again:
      let lost = TransferFailure(
        .bodyNotRepeatable, description: "The connection was lost, and the body cannot be sent again.")
      end(reader?.failure ?? lost)
    case .end(nil) where holdsRest:
      // It ends as soon as what the decoder holds has been delivered.
      finalMetrics = FinalMetrics(collectMetrics())
      enter(.draining)
    case .end(let failure):
      end(failure)
    }
  }

  /// Returns the error that the system reported last. libcurl keeps that for connections, but not for sockets and files
  /// that could not be opened.
  private func systemError(of handle: EasyHandle) -> Int32 {
    Descriptors.shortage ?? Int32(handle.long(CURLINFO_OS_ERRNO))
  }

  /// True if there was no address to connect to: from 8.16 on libcurl keeps for a while that a name is unknown, and says to those
  /// that waited for the same lookup that it could not connect.
  private func isUnknownHost(_ code: CURLcode, _ handle: EasyHandle) -> Bool {
    code == CURLE_COULDNT_CONNECT && machine.connections == 0 && freshSockets.isEmpty && systemError(of: handle) == 0
  }

  /// True if the transfer failed for want of descriptors, of which idle connections may hold some.
  private func looksForRoom(after code: CURLcode) -> Bool {
    guard machine.connections == 0, code != CURLE_OPERATION_TIMEDOUT, roomTries < Self.mostRoomTries,
      Descriptors.shortage != nil
    else { return false }
    roomTries += 1
    // libcurl may have to wait for a connection that is in use.
    countSilence()
    return true
  }

  /// From here on silence counts, although there is no connection yet.
  func countSilence() {
    machine.moved(now: now)
    pool.checkNoLater(than: machine.deadline)
  }

  /// Lets the body start again from its first byte, and its count with it.
  func rewind() -> Bool {
    guard let reader, reader.offset > 0 else { return true }
    guard machine.bodyStartsAgain(), reader.rewind() else { return false }
    sent()
    return true
  }

  private func message(_ code: CURLcode) -> String {
    unsafe String(cString: curl_easy_strerror(code)) + "."
  }
}
