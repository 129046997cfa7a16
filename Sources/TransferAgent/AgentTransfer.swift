// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Dispatch
import Foundation
import Glibc
import Locking
import URLLoading

/// One attempt of a task: a load into a file of the session's folder, and its reports to the session.
///
/// The load calls on the I/O thread; the session is called on the agent's queue, of counts ten times a second at most: each
/// report wakes two processes.
final class AgentTransfer: LoadClient, LoadDecisions, LoadProgress, Sendable {
  /// A report to the session.
  enum Report: Sendable {
    /// The record serves to resume if this process is killed.
    case wouldResume(Data?)
    case responded(ResponseRecord)
    /// The load waits for `answer(_:_:)`.
    case challenged(LoadChallenge)
    case counted(TransferCounts)
    case resumed(offset: Int64, expected: Int64)
    case ended(Ending)
  }

  /// The end of an attempt.
  struct Ending: Sendable {
    var error: URLError?
    /// True if the error is one of the network, so that another attempt may succeed.
    var isOfNetwork = false
    /// The complete file of a success.
    var file: URL?
    /// After a failure, or a stop, the record to resume from.
    var resume: Data?
    /// The last request's URL.
    var url: URL?
    var counts: TransferCounts
    var exchanges: [Data]
    var redirects: Int
  }

  private struct State {
    var load: Load?
    var counts = TransferCounts()
    var isReporting = false
  }

  let isResuming: Bool
  /// True if a client has answered a challenge of the task before, or there is one that could.
  private let needsClient: Bool
  private let isAttended: Locked<Bool>
  private let queue: DispatchQueue
  private let report: @Sendable (AgentTransfer, Report) -> Void
  private let state = Locked(State())
  private static let secondsBetweenReports = 0.1

  /// `report` is called on `queue`.
  init(
    _ task: TransferRecord, resuming record: ResumeRecord?, in context: LoadContext, folder: URL,
    isAttended: Locked<Bool>, queue: DispatchQueue,
    report: @escaping @Sendable (AgentTransfer, Report) -> Void
  ) {
    (self.queue, self.report) = (queue, report)
    (self.isAttended, needsClient) = (isAttended, task.needsClient == true)
    isResuming = record != nil
    let body = task.upload.map { LoadBody.file(URL(fileURLWithPath: $0)) }
    let load = Load(
      record?.request ?? URLRequest(task.request), in: context, sink: .file(directory: folder), body: body,
      resuming: record, usesCredentialStorage: false, client: self)
    state.withLock { $0.load = load }
  }

  private var load: Load? { state.withLock { $0.load } }

  func start() { load?.start() }
  func suspend() { load?.suspend() }
  func resume() { load?.resume() }
  func cancel() { load?.cancel() }
  /// Ends the load, and keeps the part of the file where a later task can continue it.
  func stop() { load?.cancelToResume() }
  func answer(_ challenge: LoadChallenge, _ answer: ChallengeAnswer) {
    load?.answer(challenge, answer, forAll: true)
  }

  private func post(_ news: Report) { queue.async { [self] in report(self, news) } }

  private func count(_ change: @Sendable (inout TransferCounts) -> Void) {
    let isFirst = state.withLock { state in
      change(&state.counts)
      defer { state.isReporting = true }
      return !state.isReporting
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + Self.secondsBetweenReports) { [self] in
      let counts = state.withLock { state in
        state.isReporting = false
        return state.counts
      }
      report(self, .counted(counts))
    }
  }

  // MARK: On the I/O thread

  var wantsExchanges: Bool { true }

  var decidesTrust: Bool { needsClient || isAttended.withLock { $0 } }

  /// A client that has gone has decided for the attempts that follow, too.
  var remembersTrust: Bool { true }

  func load(_ load: Load, didReceive challenge: LoadChallenge) { post(.challenged(challenge)) }

  func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?) {
    state.withLock { $0.counts.expected = response.expectedContentLength }
    guard let response = response as? HTTPURLResponse, let record = ResponseRecord(response) else { return }
    post(.responded(record))
  }

  func load(_ load: Load, wouldResume record: ResumeRecord) { post(.wouldResume(record.data)) }

  func load(_ load: Load, didResumeAt offset: Int64, expected: Int64) {
    state.withLock { ($0.counts.received, $0.counts.expected) = (offset, expected) }
    post(.resumed(offset: offset, expected: expected))
  }

  func load(_ load: Load, didWrite total: Int64, expected: Int64) {
    count { ($0.received, $0.expected) = (total, expected) }
  }

  func load(_ load: Load, didSend total: Int64, expected: Int64) {
    count { ($0.sent, $0.expectedToSend) = (total, expected) }
  }

  func load(_ load: Load, didEnd end: LoadEnd) {
    let counts = state.withLock { state in
      state.load = nil
      if end.error == nil { state.counts.received = load.bytesReceived }
      state.counts.sent = load.bytesSent
      return state.counts
    }
    // A resolver that does not answer keeps no finished file waiting: it has a pool of threads of its own.
    let asksResolver = end.error?.code == .cannotFindHost
    (asksResolver ? DispatchQueue.global(qos: .utility) : .global()).async { [self] in
      // The bytes are on the disk before the journal says so.
      let reason = end.file.map { DiskFile.sync($0.path) } ?? 0
      let lost = POSIXErrorCode(rawValue: reason).map {
        LoadError.disk(.cannotWriteToFile, POSIXError($0), url: load.currentRequest.url)
      }
      if lost != nil, let file = end.file { unsafe unlink(file.path) }
      var ending = Ending(
        error: end.error ?? lost, file: lost == nil ? end.file : nil, resume: end.partial?.resumeData(),
        url: load.currentRequest.url, counts: counts, exchanges: end.exchanges.compactMap(\.data),
        redirects: end.redirectCount)
      ending.isOfNetwork = end.error?.isOfNetwork(isProxied: end.exchanges.last?.isProxied == true) ?? false
      post(.ended(ending))
    }
  }
}

extension URLError {
  /// True if another attempt may succeed. May ask the resolver, which blocks: libcurl does not tell a name that does not
  /// exist from a resolver that does not answer. The name of a proxy is not known here, so that one is tried again.
  fileprivate func isOfNetwork(isProxied: Bool) -> Bool {
    let host = code == .cannotFindHost ? failingURL?.host : nil
    let beneath = (userInfo[NSUnderlyingErrorKey] as? NSError)?.userInfo[NSUnderlyingErrorKey] as? NSError
    let systemError = beneath.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil }
    return RetryRule.isOfNetwork(
      errorCode, systemError: systemError, lookup: isProxied ? EAI_AGAIN : host.map(Self.lookUp))
  }

  /// Asks getaddrinfo(3) about a name.
  private static func lookUp(_ host: String) -> Int32 {
    var (hints, found) = unsafe (addrinfo(), nil as UnsafeMutablePointer<addrinfo>?)
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    defer { if let found = unsafe found { unsafe freeaddrinfo(found) } }
    return unsafe getaddrinfo(host, nil, &hints, &found)
  }
}

extension FailureRecord {
  init(_ error: URLError) {
    self.init(code: error.errorCode, description: error.localizedDescription, url: error.failingURL)
    let beneath = error.userInfo[NSUnderlyingErrorKey] as? NSError
    if let beneath, beneath.domain == NSPOSIXErrorDomain { systemError = Int32(beneath.code) }
  }
}

extension ResponseRecord {
  init?(_ response: HTTPURLResponse) {
    guard let url = response.url else { return nil }
    let fields = response.allHeaderFields.map { ("\($0.key.base)", "\($0.value)") }
    self.init(
      url: url, status: response.statusCode, fields: Dictionary(fields) { first, _ in first },
      isDecoded: response.expectedContentLength < 0)
  }
}
