// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import HTTPRules
import Locking
import Recorder
import Timeline
import URLLoading

/// The load of one connection: keeps connection and delegate alive from start to end, and turns the load's events into
/// calls of the delegate.
final class ConnectionLoad: Sendable {
  /// Loads of all connections share their sockets and the process's stores.
  static let context: LoadContext = {
    var configuration = LoadConfiguration()
    configuration.useSharedStores()
    configuration.followsSharedCache = true
    configuration.asksRegisteredProtocols = true
    return LoadContext(configuration)
  }()

  /// The largest piece of data a delegate is given: large enough to keep calls few, half of what may wait.
  static let largestPiece = 512 * 1024

  struct State {
    var life = ConnectionLife()
    var delegate: ConnectionDelegate
    /// Set while loading.
    var connection: NSURLConnection?
    var load: Load?
    var request: URLRequest
    /// Bytes of the request's body.
    var sent = Tally()
    var hasResponse = false
    /// Bytes of the body in a download delegate's file, and how many there will be, or -1.
    var written = Tally()
    var expected: Int64 = -1

    mutating func end() -> Ended? {
      guard life.ended() else { return nil }
      let ended = Ended(delegate: delegate, connection: connection, load: load)
      request = load?.currentRequest ?? request
      delegate = ConnectionDelegate(nil)
      connection = nil
      load = nil
      return ended
    }
  }

  /// The references of a load that has ended; the caller of `end()` drops them outside of the lock.
  struct Ended: Sendable {
    let delegate: ConnectionDelegate
    let connection: NSURLConnection?
    let load: Load?
  }

  let subject = Timeline.nextSubject()
  let misuse: MisuseReport
  let delivery: ConnectionDelivery
  let state: Locked<State>
  /// The challenge that was shown last.
  let openChallenge = Locked<(challenge: URLAuthenticationChallenge, sender: ChallengeSender)?>(nil)

  init(_ request: URLRequest, delegate: Any?) {
    ProgramRecording.beginOnce()
    misuse = MisuseReport(subject: subject)
    delivery = ConnectionDelivery(subject: subject)
    state = Locked(State(delegate: ConnectionDelegate(delegate), request: request))
  }

  deinit {
    delivery.close()
    Timeline.emit(.step(.letGo), subject: subject)
  }

  /// The request that is on its way, or the last one that was.
  var currentRequest: URLRequest {
    state.withLock { $0.load?.currentRequest ?? $0.request }
  }

  // MARK: - Actions, from any thread

  func start(_ connection: NSURLConnection) {
    let (verdict, way, asksFirst, request) = state.withLock { state in
      let verdict = state.life.started()
      if verdict == .proceed {
        state.connection = connection
        state.request = CanonicalURL.request(state.request)
      }
      return (verdict, state.life.destination, state.delegate.base != nil, state.request)
    }
    if case .ignore(let sentence) = verdict { return Timeline.emit(.note(sentence), subject: subject) }
    Timeline.emit(.step(.started), subject: subject)
    switch way {
    case .open, .scheduled: delivery.announcePlaces()
    case .starter:
      delivery.schedule(in: .current, .default)
      delivery.announcePlaces()
    case .queue(let queue): delivery.useOnly(queue)
    }
    if asksFirst {
      delivery.post { [self] in askFirst(request) }
    } else {
      begin(with: request, usesCredentialStorage: true)
    }
  }

  func cancel() {
    guard let ended = state.withLock({ $0.end() }) else { return }
    delivery.close()
    guard let load = ended.load else { return Timeline.emit(.step(.cancelledUnstarted), subject: subject) }
    load.cancel()
  }

  func schedule(in runLoop: RunLoop, _ mode: RunLoop.Mode) {
    if obeys(state.withLock { $0.life.scheduleAsked() }, .scheduleAfterStart) { delivery.schedule(in: runLoop, mode) }
  }

  func unschedule(from runLoop: RunLoop, _ mode: RunLoop.Mode) {
    let leavesNone = delivery.isOnly(runLoop, mode)
    if obeys(state.withLock { $0.life.unscheduleAsked(leavesNone: leavesNone) }, .scheduleAfterStart) {
      delivery.unschedule(from: runLoop, mode)
    }
  }

  func setDelegateQueue(_ queue: OperationQueue?) {
    let verdict = state.withLock { $0.life.queueAsked(queue) }
    if verdict == .relay, !delivery.relay(to: queue) {
      misuse.note(ConnectionLife.afterFirstCallback)
    }
    _ = obeys(verdict, .queueAfterStart)
  }

  private func obeys(_ verdict: ConnectionLife.Verdict, _ call: IgnoredCall) -> Bool {
    switch verdict {
    case .proceed: return true
    case .relay:
      Timeline.emit(.step(.ignored(call)), subject: subject)
    case .ignore(let sentence):
      Timeline.emit(.step(.ignored(call)), subject: subject)
      misuse.note(sentence)
    case .programmerError(let sentence): misuse.stop(sentence)
    }
    return false
  }
}

// MARK: - The load, where callbacks run

extension ConnectionLoad {
  var active: (connection: NSURLConnection, delegate: ConnectionDelegate)? {
    state.withLock { state in state.connection.map { ($0, state.delegate) } }
  }

  /// Asks about the credential storage and the first request, then begins.
  private func askFirst(_ request: URLRequest) {
    guard let (connection, delegate) = active, let base = delegate.base else { return }
    let usesStorage = asksForStorage(base, connection)
    guard let data = delegate.data else { return begin(with: request, usesCredentialStorage: usesStorage) }
    guard active != nil else { return }
    let answer = ask(data, connection, request, nil)
    if let answer { begin(with: answer, usesCredentialStorage: usesStorage) } else { connection.cancel() }
  }

  private func begin(with request: URLRequest, usesCredentialStorage: Bool) {
    let active = active
    let load = Load(
      request, in: Self.context, sink: Self.sink(for: active?.delegate), subject: subject,
      usesCredentialStorage: usesCredentialStorage, written: active?.connection.originalRequest.url, client: self)
    let isWanted = state.withLock { state in
      guard state.connection != nil else { return false }
      state.load = load
      return true
    }
    if isWanted { load.start() }
  }

  private func redirected(
    _ load: Load, by response: HTTPURLResponse, to request: URLRequest, _ question: LoadQuestion
  ) {
    guard let (connection, delegate) = active, let data = delegate.data else { return }
    let answer = ask(data, connection, request, response)
    if active != nil { load.follow(answer, answering: question) }
  }

  private func ask(
    _ delegate: any NSURLConnectionDataDelegate, _ connection: NSURLConnection, _ request: URLRequest,
    _ redirect: URLResponse?
  ) -> URLRequest? {
    DelegateMethod.willSend.run(on: delegate) {
      Timeline.emit(DelegateMethod.willSend.event, subject: subject, payload: redirect.map { .response($0) } ?? .none)
    } call: {
      delegate.connection(connection, willSend: request, redirectResponse: redirect)
    }
  }

  private func deliver(_ response: URLResponse, of load: Load, _ question: LoadQuestion?) {
    guard let (connection, delegate) = active else { return }
    defer { if let question { load.accept(.stream, answering: question) } }
    guard let data = delegate.data else { return }
    state.withLock { $0.hasResponse = true }
    DelegateMethod.didReceiveResponse.run(on: data) {
      Timeline.emit(DelegateMethod.didReceiveResponse.event, subject: subject, payload: .response(response))
    } call: {
      data.connection(connection, didReceive: response)
    }
  }

  /// Delivers one piece. The next one goes before every other waiting call, so the end stays last.
  private func deliverBody(of load: Load) {
    guard let (connection, delegate) = active, let piece = load.takeBody(atMost: Self.largestPiece) else { return }
    if load.hasBody { delivery.postFirst { [self] in deliverBody(of: load) } }
    guard let data = delegate.data else { return }
    DelegateMethod.didReceiveData.run(on: data) {
      unsafe piece.withUnsafeBytes {
        unsafe Timeline.emit(DelegateMethod.didReceiveData.event, subject: subject, payload: .bytes($0))
      }
    } call: {
      data.connection(connection, didReceive: piece)
    }
  }

  /// Called by the default body of a method that was announced: the delegate does not have it.
  func noteLeftOut(_ method: String) {
    Timeline.emit(.leftOut(name: method, detail: ""), subject: subject)
  }

  private func deliver(_ end: LoadEnd, _ file: DownloadedFile?) {
    guard let ended = state.withLock({ $0.end() }), let connection = ended.connection else { return }
    withdrawChallenge(connection, ended.delegate)
    if let error = end.error {
      Timeline.emit(
        .callback(name: "connection(_:didFailWithError:)", detail: ""), subject: subject, payload: .end(error))
      ended.delegate.base?.connection(connection, didFailWithError: error.original)
    } else if let file, let download = ended.delegate.download {
      deliver(file, to: download, connection)
    } else {
      Timeline.emit(.callback(name: "connectionDidFinishLoading(_:)", detail: ""), subject: subject, payload: .success)
      ended.delegate.data?.connectionDidFinishLoading(connection)
    }
    tellUnheard(end.error, ended.delegate)
    delivery.close()
  }

  /// The delegate has no method for this end, and no protocol that it conforms to has one.
  private func tellUnheard(_ error: URLError?, _ delegate: ConnectionDelegate) {
    let isHeard = error == nil ? delegate.data != nil || delegate.download != nil : delegate.base != nil
    guard !isHeard else { return }
    Timeline.emit(.step(.endedUnheard(code: error?.errorCode)), subject: subject)
  }
}

// MARK: - Calls of the load, on the I/O thread

extension ConnectionLoad: LoadClient, LoadDecisions, LoadProgress {
  func load(_ load: Load, willFollow redirect: HTTPURLResponse, to request: URLRequest, asking question: LoadQuestion) {
    guard active?.delegate.data != nil else { return load.follow(request, answering: question) }
    delivery.post { [self] in redirected(load, by: redirect, to: request, question) }
  }

  func load(_ load: Load, needsBodyFor request: URLRequest, asking question: LoadQuestion) {
    guard active?.delegate.data != nil else { return load.provide(.copy, answering: question) }
    delivery.post { [self] in needBody(of: load, for: request, question) }
  }

  var keepsBodyStreams: Bool {
    active?.delegate.data.map { BodyStreamMethod.isKnown(in: $0) != true } ?? true
  }

  func load(_ load: Load, didSend total: Int64, expected: Int64) {
    let posts = state.withLock { state in
      state.delegate.data != nil && state.sent.reported(total, expected: expected)
    }
    if posts { delivery.post { [self] in deliverSent() } }
  }

  func load(_ load: Load, didWrite total: Int64, expected: Int64) {
    let posts = state.withLock { $0.written.reported(total, expected: expected) }
    if posts { delivery.post { [self] in deliverWritten() } }
  }

  func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?) {
    state.withLock { $0.expected = response.expectedContentLength }
    delivery.post { [self] in deliver(response, of: load, question) }
  }

  func loadHasBody(_ load: Load) {
    delivery.post { [self] in deliverBody(of: load) }
  }

  func load(_ load: Load, didEnd end: LoadEnd) {
    let file = end.file.map(DownloadedFile.init)
    delivery.post { [self] in deliver(end, file) }
  }
}
