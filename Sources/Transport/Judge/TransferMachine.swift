// SPDX-License-Identifier: Apache-2.0
import CCurl
import HTTPRules

/// The decisions of one transfer: events in, actions out.
///
/// Pure: the time comes in as a number, and the transfer performs the actions. The I/O thread alone uses it.
struct TransferMachine {
  /// The action for a piece of the body.
  enum BodyAction: Equatable {
    /// Deliver it to the consumer.
    case forward
    /// Leave it with libcurl until `resume`.
    case hold
    /// Drop it: the message has no body (RFC 9110 section 15.3.6).
    case drop
  }

  /// The action when a connection is ready for the request.
  enum ConnectionAction: Equatable {
    case send
    /// Another answer would be taken for this one's: bytes that no request asked for wait on it (RFC 9112 section 9.2), or
    /// another exchange is under way.
    case abandon
  }

  /// The action when libcurl is done.
  enum EndAction: Equatable {
    /// Report; nil is a success.
    case end(TransferFailure?)
    /// Try once more, on another connection.
    case again
  }

  private var judge: HeadJudge
  let isIdempotent: Bool
  private let requestMethod: String
  let use: ConnectionUse
  private var idleLimit: Int64?
  private var totalDeadline: Int64?

  private(set) var head: ResponseHead?
  private(set) var isPaused = false
  private(set) var bodyBytes: Int64 = 0
  private var fault: TransferFailure?
  private var lastActivity: Int64?
  private(set) var connections = 0
  private var staleConnections = 0
  /// True if the connection has had requests before.
  private(set) var isReused = false
  private var isStale = false
  /// True if libcurl would choose the same connection again, which the request must not have.
  private var wasMistaken = false
  private(set) var hasHeadBytes = false
  private var chunks: ChunkJudge?
  /// True if libcurl shows the chunks of a body (`CurlFacts.showsChunks`): otherwise its own reading of them counts.
  private let showsChunks: Bool
  /// The server has said that it has not worked on the request, and never will (RFC 9113 sections 6.8 and 8.7).
  private(set) var isUntouched = false
  /// How often the request was sent again because the server had not worked on it.
  private var refusals = 0
  private static let mostRefusals = 5
  /// The server ended the stream of HTTP/2 with an error of its own.
  private(set) var hasStreamError = false
  /// The least number that the request's stream can have, and the number once it is known.
  private var (leastStream, ownStream): (UInt32, UInt32?) = (0, nil)
  /// The last stream of the connection that the server works on, once it has said so.
  private var lastTaken: UInt32?
  /// The stream of the connection that the server reset last; libcurl tells of its closing at once.
  private var lastReset: (stream: UInt32, isRefused: Bool)?
  private(set) var wasOwnStreamReset = false

  /// A machine for one exchange; limits and `now` are nanoseconds of one clock.
  init(
    method: String, use: ConnectionUse = .exchange, idleLimit: Int64? = nil, totalLimit: Int64? = nil,
    showsChunks: Bool = true, now: Int64 = 0
  ) {
    self.showsChunks = showsChunks

    judge = HeadJudge(requestMethod: method, allowsUpgrade: use != .exchange)
    self.use = use
    requestMethod = method
    isIdempotent = HTTPMethod.isIdempotent(method)
    self.idleLimit = idleLimit
    totalDeadline = totalLimit.map { now + $0 }
  }

  /// When the transfer is timed out, unless something moves before. The idle limit runs only while there is a
  /// connection, or one is being made, and the consumer does not hold the transfer back.
  var deadline: Int64? {
    guard let idleLimit, let lastActivity, !isPaused else { return totalDeadline }
    return min(lastActivity + idleLimit, totalDeadline ?? .max)
  }

  /// How often the peer's acknowledgements are looked at, while the idle limit runs.
  var lookInterval: Int64? { isPaused ? nil : idleLimit.map { max($0 / 4, 1) } }

  /// Something moved on the connection, or one began to be made.
  mutating func moved(now: Int64) {
    lastActivity = now
  }

  /// The kernel did not run the thread for a while between `start` and `now`. Bytes that the thread noted in that time count as
  /// received at `now`.
  mutating func stoodStill(since start: Int64, now: Int64) {
    if let lastActivity, lastActivity >= start { moved(now: now) }
  }

  /// The connection is ready; `hasUnaskedBytes` when something waits on it to be read, `isMistaken` when another exchange is
  /// under way on it and it `speaksHTTP2` not.
  mutating func connected(
    hasUnaskedBytes: Bool, isMistaken: Bool = false, speaksHTTP2: Bool = false, isReused: Bool = false, now: Int64
  ) -> ConnectionAction {
    moved(now: now)
    self.isReused = isReused
    judge.allowsHTTP2 = speaksHTTP2
    if hasUnaskedBytes || isMistaken, use == .exchange {
      isStale = true
      wasMistaken = isMistaken
      staleConnections += 1
      return .abandon
    }
    connections += 1
    if connections > 1, isUntouched {
      // That try counts as none: the server has not seen the request.
      guard mayFollowRefusal else {
        failed(lost)
        return .abandon
      }
      (connections, isUntouched) = (connections - 1, false)
      refusals += 1
    }
    // libcurl tries again by itself when a kept-alive connection turns out to be dead. That is right once, and only
    // where the server may see the request twice (RFC 9110 section 9.2.2, RFC 9112 section 9.3.1): a connection that took
    // the head may have brought it to the server, with or without a body behind it.
    // Behind a head the request is none that is repeated, but the next one of a login.
    if connections > 2 || (connections == 2 && !mayRepeat && head == nil) {
      failed(lost)
      return .abandon
    }
    return .send
  }

  /// True if the next try has to be on a connection of its own.
  var needsNewConnection: Bool { connections > 0 || wasMistaken }

  /// True if a connection stands that nothing speaks against.
  var isConnected: Bool { connections > 0 && fault == nil }

  /// The connection belongs to the user from now on, and may be silent for as long as he likes.
  mutating func handedOver() {
    idleLimit = nil
  }

  /// A handshake is under way on the user's connection.
  mutating func shakesHands(within limit: Int64?, now: Int64) {
    idleLimit = limit
    moved(now: now)
  }

  /// No time-out counts from now on.
  mutating func becameIndependent() {
    idleLimit = nil
    totalDeadline = nil
  }

  /// The body, of which something was sent, would have to start again. False where the server may have acted on it and
  /// must not see it twice; the transfer has failed then.
  mutating func bodyStartsAgain() -> Bool {
    // libcurl asks after it has connected again; a connection too many fails in `connected`.
    guard !mayRepeat, refusals == 0, head == nil else { return true }
    failed(lost)
    return false
  }

  /// True if the request may go out once more after the server has refused it unseen.
  var mayFollowRefusal: Bool { refusals < Self.mostRefusals }

  /// True if the server may see the request twice, or has not seen it.
  var mayRepeat: Bool { isIdempotent || isUntouched }

  private var lost: TransferFailure {
    TransferFailure(
      .connectionLost,
      description:
        "The connection was lost before the server answered, and a \(requestMethod) request is not repeated.")
  }

  /// Judges a line of a head or trailer.
  mutating func headLine(_ line: Span<UInt8>, now: Int64) -> HeadJudge.Verdict {
    hasHeadBytes = true
    moved(now: now)
    let verdict = judge.line(line)
    switch verdict {
    case .final(let head) where closesIdleConnection(head):
      (isStale, hasHeadBytes, judge) = (true, false, judge.anew)
      return .fault(lost)
    case .final(let head):
      self.head = head
      chunks = judge.isChunked && showsChunks ? ChunkJudge() : nil
    case .fault(let failure): fault = failure
    case .more, .interim, .trailer: break
    }
    return verdict
  }

  /// True if a server closes with this answer a connection that was idle for too long, for which the request came too late: it
  /// may be sent once more on another (RFC 9110 section 15.5.9).
  private func closesIdleConnection(_ head: ResponseHead) -> Bool {
    head.status == 408 && isReused && connections == 1 && mayRepeat && use == .exchange && head.version != "HTTP/2"
  }

  /// A piece of the body has arrived.
  mutating func bodyArrived(_ count: Int, now: Int64) -> BodyAction {
    moved(now: now)
    guard !isPaused else { return .hold }
    if hasNoBody { return .drop }
    bodyBytes += Int64(count)
    return .forward
  }

  var hasNoBody: Bool {
    head.map { MessageFraming.hasNoBody(status: $0.status, requestMethod: requestMethod) } ?? false
  }

  /// Raw bytes of a chunked body, before libcurl takes them apart. False when they cannot be chunks, or too many of them
  /// lead to nothing.
  mutating func chunkBytes(_ bytes: Span<UInt8>) -> Bool {
    guard let failure = chunks?.feed(bytes) else { return true }
    failed(failure)
    return false
  }

  /// True if the lengths of the response leave doubt, so that nothing may follow on its connection.
  var mustNotReuseConnection: Bool { judge.isAmbiguous }

  /// True if the answer has come to its end, as its own framing says (RFC 9112 section 6.3).
  var isAnswered: Bool {
    guard let head else { return false }
    return hasNoBody || head.contentLength == bodyBytes || chunks?.isComplete ?? judge.isChunked
  }

  /// True if the body comes in chunks that want to be judged.
  var isChunked: Bool { chunks != nil }

  /// Nothing more shall be read.
  mutating func paused() {
    isPaused = true
  }

  /// Reading continues; false when it never stopped.
  mutating func resumed(now: Int64) -> Bool {
    guard isPaused else { return false }
    isPaused = false
    lastActivity = now
    return true
  }

  /// The server has not worked on the request.
  mutating func wasNotTouched() {
    isUntouched = true
  }

  /// The server ended the stream with an error.
  mutating func streamFailed() {
    hasStreamError = true
  }

  /// The request goes out on a stream of at least this number.
  mutating func sends(onStreamFrom least: UInt32) {
    (leastStream, ownStream, hasStreamError) = (least, nil, false)
    (lastReset, wasOwnStreamReset, lastTaken) = (nil, false, nil)
  }

  /// The server works on no stream of the connection above this one.
  mutating func connectionWentAway(behind last: UInt32) {
    lastTaken = last
    if ownStream ?? leastStream > last { wasNotTouched() }
  }

  /// The server reset a stream of the connection; `isRefused` before it worked on its request (RFC 9113 section 8.7).
  mutating func wasReset(_ stream: UInt32, isRefused: Bool) {
    lastReset = (stream, isRefused)
    if stream == ownStream { ownStreamWasReset(isRefused) }
  }

  private mutating func ownStreamWasReset(_ isRefused: Bool) {
    wasOwnStreamReset = true
    if isRefused { wasNotTouched() }
  }

  /// The request's own stream has this number.
  mutating func isSent(on stream: UInt32) {
    ownStream = stream
    if let lastTaken, stream > lastTaken { wasNotTouched() }
    if let lastReset, lastReset.stream == stream { ownStreamWasReset(lastReset.isRefused) }
  }

  /// The head was one of several: another request goes out for the same exchange, and its answer is judged anew.
  mutating func answerFollows() {
    judge = judge.anew
    (head, chunks, bodyBytes, connections) = (nil, nil, 0, 1)
  }

  /// The transfer cannot succeed any more, for a reason of ours.
  mutating func failed(_ failure: TransferFailure) {
    if fault == nil { fault = failure }
  }
}

// MARK: - The end

extension TransferMachine {
  /// Judges libcurl's result. A success is believed only when the whole message has arrived.
  mutating func curlEnded(
    _ code: CURLcode, description: @autoclosure () -> String, verifyResult: @autoclosure () -> Int = 0,
    systemError: @autoclosure () -> Int32 = 0, isContentComplete: Bool = true, isEndReported: Bool = true,
    stream: StreamEnd = StreamEnd()
  ) -> EndAction {
    if let fault { return .end(fault) }
    if isStale {
      isStale = false
      if staleConnections <= 4 { return .again }
      return .end(TransferFailure(.connectionLost, description: "The server talks on connections before it is asked."))
    }
    if code == CURLE_OK, repeats(after: code, stream) { return .again }
    guard code != CURLE_OK, !isAnsweredEarly(code), !isAnsweredByStream(code, stream) else {
      let failure = incompleteness(isContentComplete: isContentComplete, isEndReported: isEndReported)
      return .end(failure ?? streamFault(stream))
    }
    if repeats(after: code, stream) { return .again }
    let progress = FailureMap.Progress(
      isRequestSent: connections > 0, hasHeadBytes: hasHeadBytes, isHeadComplete: judge.isFinalHeadComplete,
      verifyResult: verifyResult(), systemError: systemError())
    var failure = TransferFailure(
      FailureMap.cause(code, progress), curlCode: Int32(code.rawValue), description: description())
    if failure.cause == .cannotConnect { failure.systemError = progress.systemError }
    return .end(failure)
  }

  /// libcurl says success; this is what it overlooks. `isEndReported`: a TLS server sent close_notify.
  private func incompleteness(isContentComplete: Bool, isEndReported: Bool) -> TransferFailure? {
    guard judge.isFinalHeadComplete else {
      return TransferFailure(.connectionLost, description: "The connection was closed within the response's head.")
    }
    if let length = head?.contentLength, requestMethod != "HEAD", bodyBytes < length {
      return TransferFailure(
        .connectionLost, description: "The connection was closed after \(bodyBytes) of \(length) bytes.")
    }
    if let chunks, !chunks.isComplete, !hasNoBody {
      return TransferFailure(.connectionLost, description: "The connection was closed before the last chunk's end.")
    }
    if !isEndReported, endsWithConnection {
      return TransferFailure(
        .connectionLost, description: "The connection was cut: the server did not say that the body is complete.")
    }
    guard isContentComplete else {
      return TransferFailure(.undecodableContent, description: "The response's compressed body was cut short.")
    }
    return nil
  }

  /// True if only the end of the connection ends the body (RFC 9112 sections 6.3 and 9.8).
  private var endsWithConnection: Bool {
    guard let head, requestMethod != "HEAD", !hasNoBody else { return false }
    return head.contentLength == nil && !judge.isChunked && head.version != "HTTP/2"
  }

  /// The server answered before it had read the whole request, and then closed: the answer counts, not the failure to
  /// send on (RFC 9112 section 9.6).
  private func isAnsweredEarly(_ code: CURLcode) -> Bool {
    guard code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR, let head, let length = head.contentLength else {
      return false
    }
    return head.status >= 300 && bodyBytes == length
  }
}
