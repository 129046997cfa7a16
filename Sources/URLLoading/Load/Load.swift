// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import FoundationNetworking
import Locking
import Synchronization
import Timeline
import Transport

/// Takes a URLRequest to its single end, over as many transfers as its redirects and challenges need.
///
/// It asks its client at each decision and continues when the client answers, from any thread. All state lives on the
/// transport's I/O thread: public methods post there, so calls to the client have one order, and an end is an end.
package final class Load: @unchecked Sendable {
  // Sendable: the constants never change, the snapshots are locked or atomic, and all other state is touched on the
  // I/O thread alone.

  /// The load's number on the timeline.
  package let subject: UInt64
  /// The request as it was given.
  package let originalRequest: URLRequest
  /// Its address as the program wrote it, which a client may have made canonical.
  let writtenURL: URL?
  let context: LoadContext
  /// The buffer that a delegate takes the body from; nil where it is gathered elsewhere.
  let buffer: BodyBuffer?
  private let current: Locked<URLRequest>
  private let received = Atomic<Int64>(0)
  private let sent = Atomic<Int64>(0)

  // Of the I/O thread:
  var partners: LoadPartners?
  /// The URL of `currentRequest`, which is asked for many times.
  private(set) var currentURL: URL?
  let presetSink: BodySink?
  /// Where the load stands; `note(_:)` alone changes it.
  private(set) var machine = LoadMachine()
  var holds: ReadingHold = []
  var transfer: Transfer? {
    willSet {
      // However a transfer is left, what was measured of it is kept.
      if let transfer, transfer !== newValue { exchanges.note { $0.metrics = transfer.metrics } }
    }
  }
  var exchanges = ExchangeLog()
  var body: RequestBody
  var upload: LoadUpload?
  /// The upload to continue, and where its file may be.
  let resumedUpload: (record: UploadRecord, directory: URL)?
  var output = BodyOutput.none
  var redirectCount = 0
  var response: URLResponse?
  var localSource: RunningSource?
  var connectivity = ConnectivityWait()
  var detour: ProxyDetour?
  var finishedFile: URL?
  var cache: LoadCache
  var deadline = LoadDeadline()
  var flushIsPlanned = false
  var resumption: DownloadResumption
  /// The records about challenges; nil for the many loads that see none.
  private(set) var knownChallenges: LoadChallenges?
  /// Where credentials are kept; nil where the client or the configuration wants none.
  let keeper: CredentialKeeper?
  var connection: RawConnection

  /// A load for `request`. With a `sink` the response is announced, but the client is not asked. `subject` is for a client that
  /// spoke on the timeline before, `written` for one whose request is canonical already. A `.file` sink can continue `record`'s.
  package init(
    _ request: URLRequest, in context: LoadContext, sink: BodySink?, body: LoadBody? = nil,
    resuming record: ResumeRecord? = nil, resumingUpload: (UploadRecord, URL)? = nil,
    subject: UInt64 = Timeline.nextSubject(), usesCredentialStorage: Bool = true, use: LoadUse = .exchange,
    written: URL? = nil, client: any LoadClient
  ) {
    self.subject = subject
    connection = RawConnection(use)
    originalRequest = request
    writtenURL = written ?? request.url
    current = Locked(request)
    currentURL = request.url
    self.context = context
    cache = LoadCache(context.cache)
    presetSink = sink
    buffer = sink.map(\.isBuffered) ?? true ? BodyBuffer() : nil
    self.body = RequestBody(body)
    resumption = DownloadResumption(request, record: record)
    resumedUpload = resumingUpload.map { ($0.0, $0.1) }
    // Only what is given as an upload is one; a request with a body of its own is sent as it is.
    if let body { upload = LoadUpload(request, body: body) }
    keeper = usesCredentialStorage ? context.credentials : nil
    partners = LoadPartners(client)
  }

  /// The request that is on its way now: the original one until a redirect is followed.
  package var currentRequest: URLRequest { current.withLock { $0 } }
  /// Bytes of the body received so far, decoded.
  package var bytesReceived: Int64 { received.load(ordering: .relaxed) }
  /// Bytes of the request's body that were sent so far.
  package var bytesSent: Int64 { sent.load(ordering: .relaxed) }

  func setCurrent(_ request: URLRequest) {
    currentURL = request.url
    current.withLock { $0 = request }
  }

  /// The records about challenges, kept from now on.
  var challenges: LoadChallenges {
    if let knownChallenges { return knownChallenges }
    let new = LoadChallenges(context, keeper, original: originalRequest.url, isExchange: connection.isExchange)
    knownChallenges = new
    return new
  }

  /// Hands a fact to the machine, for a caller that itself does what follows; others call `handle(_:)`.
  @discardableResult
  func note(_ event: LoadMachine.Event) -> LoadMachine.Action {
    Self.assertOnThread()
    // A property that is only ever replaced is read without a check at run time, here for every piece of a body.
    var next = machine
    let action = next.handle(event)
    let wasWatched = machine.isWatched
    machine = next
    if wasWatched || next.isWatched { deadline.watch(next.isWatched, totalTimeEnded) }
    return action
  }

  func addReceived(_ count: Int) { received.wrappingAdd(Int64(count), ordering: .relaxed) }

  func setSent(_ total: Int64) { sent.store(total, ordering: .relaxed) }
}

// MARK: - Steering, from any thread

extension Load {
  /// Begins. The second call does nothing.
  package func start() {
    context.transport.perform { self.begin() }
  }

  /// Ends the load as cancelled (−999), unless it has ended.
  package func cancel() {
    Timeline.emit(.cancelled, subject: subject)
    context.transport.perform {
      self.end(LoadError.error(.cancelled, url: self.currentURL, description: "cancelled"))
    }
  }

  /// The same, with what is needed to continue the download later, where that is possible.
  package func cancelToResume() {
    Timeline.emit(.cancelled, subject: subject)
    context.transport.perform {
      self.resumption.isWanted = true
      self.end(LoadError.error(.cancelled, url: self.currentURL, description: "cancelled"))
    }
  }

  /// The same, with what is needed to continue the upload later, where that is possible.
  package func cancelUploadToResume() {
    Timeline.emit(.cancelled, subject: subject)
    context.transport.perform {
      self.upload?.isWanted = true
      self.end(LoadError.error(.cancelled, url: self.currentURL, description: "cancelled"))
    }
  }

  /// Stops reading until `resume()`. Not counted.
  package func suspend() {
    context.transport.perform {
      guard !self.connection.isIndependent else { return }
      self.holds.insert(.suspended)
      self.transfer?.pauseAtOnce()
    }
  }

  /// Continues after `suspend()`.
  package func resume() {
    context.transport.perform { self.release(.suspended) }
  }

  /// Answers `load(_:willFollow:to:asking:)`: continues with `request`, or makes the redirect itself the response when nil. Any
  /// answer but the first does nothing.
  package func follow(_ request: URLRequest?, answering question: LoadQuestion) {
    answer(question, .redirect(request))
  }

  /// Answers `load(_:needsBodyFor:asking:)`, from any thread. Any answer but the first does nothing.
  package func provide(_ body: NewBody, answering question: LoadQuestion) {
    answer(question, .body(body))
  }

  /// Answers `load(_:didReceive:asking:)`. Any answer but the first does nothing.
  package func accept(_ sink: BodySink, answering question: LoadQuestion) {
    answer(question, .sink(sink))
  }

  /// Finds the answer that was given to the same question for all loads of the context; nil where none was.
  package func knownAnswer(to challenge: LoadChallenge) -> ChallengeAnswer? {
    context.peers.withLock { $0.answer(to: challenge.space) }
  }

  /// Answers `load(_:didReceive:)` for a challenge. Any answer but the first does nothing. One about a server or about
  /// a client certificate may count `forAll` loads of the context: it does at once, so that the next question about the
  /// same certificate finds it.
  package func answer(_ challenge: LoadChallenge, _ answer: ChallengeAnswer, forAll: Bool = false) {
    if forAll { context.peers.withLock { $0.note(answer, to: challenge.space) } }
    self.answer(LoadQuestion(number: challenge.number), .challenge(answer))
  }

  /// Answers `load(_:willCache:asking:)`: stores this response, or none. Any answer but the first does nothing.
  package func cache(_ response: CachedURLResponse?, answering question: LoadQuestion) {
    answer(question, .storing(response))
  }

  /// Answers `load(_:didReceive:asking:)`, and works for another client from now on, unless the load has ended meanwhile.
  package func accept(_ sink: BodySink, for client: any LoadClient, answering question: LoadQuestion) {
    context.transport.perform {
      guard self.partners != nil else { return }
      self.partners = LoadPartners(client)
      self.handle(.answered(number: question.number, .sink(sink)))
    }
  }

  /// Takes the next bytes of a `.stream` sink, at most `limit`; nil when none wait. Each of several callers
  /// gets others.
  package func takeBody(atMost limit: Int) -> Data? {
    guard let (data, opens) = buffer?.take(atMost: limit) else { return nil }
    if opens { context.transport.perform { self.release(.buffer) } }
    return data
  }

  /// True if bytes of a `.stream` sink wait.
  package var hasBody: Bool { buffer?.isEmpty == false }

  /// Takes what a local source reports.
  func report(_ event: LocalSourceEvent, from source: any LocalSource) {
    context.transport.perform { self.reported(event, source) }
  }

  /// No protocol class wanted the request.
  func declined(_ request: URLRequest, by source: any LocalSource) {
    context.transport.perform { self.sendWithoutProtocol(request, source) }
  }
}

// MARK: - A connection that belongs to the client, on the I/O thread

extension Load {
  /// Sends bytes after all that were sent before; `load(_:didTake:)` reports the progress. What is sent when there
  /// is no open connection is dropped.
  package func send(_ bytes: [UInt8]) {
    Self.assertOnThread()
    if connection.isOpen { transfer?.send(bytes) }
  }

  /// Speaks TLS from here on: behind all that was sent, which must have gone, and all that came. `loadSecured(_:)` says when
  /// something can be sent again. Bytes that the server sent before are no TLS, and make it fail with -1200. The client is
  /// asked about the server's certificate, and for one of its own, as for a request over https; here one handshake waits for
  /// the answers.
  package func secure() {
    guard machine.isExchanging, connection.isOpen, !connection.isSecured,
      let wanted = try? RawConnection.request(
        for: currentRequest, overTLS: true, subject: subject, context.configuration)
    else { return }
    connection.secure()
    shakeHands(wanted)
  }

  /// Ends the load, and its connection with it: in order, or with an error.
  package func finish(_ error: URLError?) {
    Self.assertOnThread()
    end(error)
  }

  /// Works for `client` from now on, which outlives the session: its end does not end the load, no time of the load's own
  /// runs any more, and what suspended it is over. Returns the end for the old client to report. Where the load
  /// has ended, `client` is not called.
  package func becomeIndependent(for client: any LoadClient) -> LoadEnd {
    Self.assertOnThread()
    var end = LoadEnd()
    if let transfer { exchanges.note { $0.metrics = transfer.metrics } }
    (end.exchanges, end.redirectCount) = (exchanges.all, redirectCount)
    connection.becomeIndependent()
    guard !machine.isEnded else { return end }
    partners = LoadPartners(client)
    deadline.drop()
    transfer?.becomeIndependent()
    // Not from within a consumer's call.
    Load.onThread { self.release(.suspended) }
    return end
  }

  /// Runs `job` on the I/O thread, after all that were posted before.
  package static func onThread(_ job: @escaping @Sendable () -> Void) {
    Transport.onThread(job)
  }

  /// Debug builds stop where what belongs to the I/O thread is touched on another one.
  package static func assertOnThread() {
    Transport.assertOnThread()
  }
}
