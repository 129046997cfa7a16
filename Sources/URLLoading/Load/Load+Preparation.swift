// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Locking
import Timeline
import Transport

/// How a request gets ready, from top to bottom: the load begins, a request is chosen, its body is available, fields and
/// credentials are added, then cookies and what the cache knows, then proxy and trust, and the transfer starts.
/// On the I/O thread.
extension Load {
  func begin() {
    guard case .proceed = note(.started) else { return }
    exchanges.isKept = partners?.progress?.wantsExchanges ?? false
    deadline.begin(context.configuration.wire.totalTimeout)
    if let record = resumption.record { return openPartial(record) }
    if let (record, directory) = resumedUpload { return openUpload(record, in: directory) }
    if case .bytes = connection.use { return connect() }
    let request = CanonicalURL.request(originalRequest)
    setCurrent(request)
    send(request)
  }

  /// Opens the file of an earlier download, then asks the server for the rest.
  private func openPartial(_ record: ResumeRecord) {
    guard case .file(let directory)? = presetSink else { return send(originalRequest) }
    lookUp(on: .disk()) {
      Result { () throws(ResumeRefusal) in try PartialFile(of: record, in: directory) }
    } then: { [self] found in
      switch found {
      case .success(let file):
        let request = resumption.opened(file, of: record)
        setCurrent(request)
        send(request)
      case .failure(let refusal):
        resumption.refused()
        end(LoadError.unresumable(refusal, url: originalRequest.url))
      }
    }
  }

  /// Opens the body of an earlier upload, then asks how much of it has come.
  private func openUpload(_ record: UploadRecord, in directory: URL) {
    lookUp(on: .disk()) {
      Result { () throws(ResumeRefusal) in try UploadBody(of: record, in: directory) }
    } then: { [self] found in
      switch found {
      case .success(let body): resumeUpload(of: record, with: body)
      case .failure(let refusal): end(LoadError.unresumable(upload: refusal, url: originalRequest.url))
      }
    }
  }

  /// Does `work` on `queue`, beside the loads, and continues with its result unless the load has ended meanwhile.
  func lookUp<Found: Sendable>(
    on queue: DispatchQueue, _ work: @escaping @Sendable () -> Found,
    then proceed: @escaping @Sendable (Found) -> Void
  ) {
    let number = beginLookup()
    queue.async { [self] in
      let found = work()
      context.transport.perform { if self.endsLookup(number) { proceed(found) } }
    }
  }

  private func resumeUpload(of record: UploadRecord, with body: UploadBody) {
    self.body.replace(by: body.body)
    var upload = LoadUpload(originalRequest, resuming: record, with: body)
    let question = upload.resume()
    self.upload = upload
    guard let question else { return }
    setCurrent(question)
    send(question)
  }

  /// Sends `request`, the first or the next, as soon as its body is available. Every request of a load passes here: a
  /// redirect's, one with credentials, one that is tried again. On the I/O thread, when no transfer runs any more.
  func send(_ request: URLRequest) {
    note(.requestChosen)
    switch connection.use {
    case .bytes: connect()
    case .webSocket: sendOverHTTP(request)
    case .exchange:
      if let source = sourceChoice.source(for: request, adding: sessionFields(for: request)) {
        begin(source)
      } else {
        sendOverHTTP(request)
      }
    }
  }

  private var sourceChoice: LocalSourceChoice {
    LocalSourceChoice(context: context, written: writtenURL, body: body.given, isRedirected: redirectCount > 0)
  }

  private func begin(_ source: any LocalSource) {
    localSource = RunningSource(source)
    note(.sourceStarted(.local))
    source.start(for: self)
  }

  /// Sends what no class of the program's wanted.
  func sendWithoutProtocol(_ request: URLRequest, _ source: any LocalSource) {
    guard localSource?.source === source, machine.isExchanging else { return }
    dropSource()
    note(.requestChosen)
    if let local = sourceChoice.urlSource(for: request) { begin(local) } else { sendOverHTTP(request) }
  }

  /// Sends `request` over HTTP, whatever its scheme.
  private func sendOverHTTP(_ request: URLRequest) {
    switch upload?.content(of: body.given) ?? .whole {
    case .whole: perform(body.wanted(by: request, keeps: keepsStreams), request)
    case .nothing: transmit(request, nil)
    case .rest(let body): transmit(request, body)
    case .restOfFile(let path, let offset): send(request, withFileAt: path, from: offset)
    case .requested(let offset):
      let question = ask(.body(request))
      partners?.decisions.load(self, needsBodyFor: request, from: offset, asking: question)
    }
  }

  /// Sends `request` with the body that the client gave.
  func send(_ request: URLRequest, with body: NewBody) {
    if case .copy = body { Timeline.emit(.step(.streamCopied(bytes: self.body.bytesKept)), subject: subject) }
    perform(self.body.bodyProvided(body, for: request, keeps: keepsStreams), request)
  }

  private var keepsStreams: Bool { partners?.decisions.keepsBodyStreams ?? false }

  private func perform(_ step: RequestBody.Step, _ request: URLRequest) {
    switch step {
    case .send(.source(let source as StreamBodySource, length: 0)): send(request, withEmpty: source.stream)
    case .send(let body): transmit(request, body)
    case .open(let path): send(request, withFileAt: path)
    case .ask:
      let question = ask(.body(request))
      partners?.decisions.load(self, needsBodyFor: request, asking: question)
    case .fail:
      end(
        LoadError.error(
          .requestBodyStreamExhausted, url: request.url,
          description: "The body has to be sent again, but its stream cannot start again and there is no other."))
    }
  }

  /// Starts the transfer of `request` with this body; nil when it has none. `hash` is that of a body in a file once it was
  /// taken.
  func transmit(_ request: URLRequest, _ body: TransferBody?, hash: FileHash? = nil) {
    do throws(URLError) {
      var transferRequest = try RequestRules.transferRequest(
        for: request, body: body, adding: sessionFields(for: request), configuration: context.configuration)
      if let url = request.url, let function = authorize(&transferRequest, for: url, hash) {
        return takeHash(by: function, of: request, body)
      }
      transferRequest.subject = subject
      transferRequest.isRedirected = redirectCount > 0
      transferRequest.isMeasured = exchanges.isKept
      if self.body.given != nil { upload?.addFields(to: &transferRequest) }
      if bytesSent > 0, upload?.isAsking != true { noteSent(upload?.base ?? 0, expected: -1) }
      connection = try connection.upgraded(by: &transferRequest, url: currentURL)
      addCookies(to: consume transferRequest, of: request)
    } catch {
      end(error)
    }
  }

  /// Adds the credential that is known to be wanted. A field of the user's own stays until the server asks. The function of
  /// the hash that has to be taken of the body's file before; nil where none has.
  private func authorize(_ transferRequest: inout TransferRequest, for url: URL, _ hash: FileHash?) -> MessageDigest? {
    let isOwn = transferRequest.fields.contains { $0.isNamed("authorization") }
    let remembered = isOwn || keeper == nil ? nil : context.logins.withLock { $0.ticket(for: url) }
    guard remembered != nil || knownChallenges?.hasCredential == true else { return nil }
    return challenges.authorize(&transferRequest, for: url, remembered: remembered, hash)
  }

  /// Reads the file of `body` beside the loads, then sends `request` with its hash. On the I/O thread.
  private func takeHash(by function: MessageDigest, of request: URLRequest, _ body: TransferBody?) {
    guard case .source(let file as FileBodySource, _)? = body else { return }
    lookUp(on: .global(qos: .utility)) {
      FileHash(digits: function.hex(ofFileAt: file.path, from: file.start))
    } then: { [self] hash in
      transmit(request, body, hash: hash)
    }
  }

  /// Puts the Cookie field in place: at once, or when the cookies of earlier responses are stored.
  private func addCookies(to transferRequest: consuming TransferRequest, of request: URLRequest) {
    switch context.loadCookies?.choice(for: request) {
    case nil: break
    case .value(let value): LoadCookies.put(value, into: &transferRequest)
    case .later(let url):
      let (number, chosen) = (beginLookup(), transferRequest)
      context.loadCookies?.find(for: url, on: context.transport) { value in
        guard self.endsLookup(number) else { return }
        var chosen = chosen
        LoadCookies.put(value, into: &chosen)
        self.consultCache(chosen, for: request)
      }
      return
    }
    consultCache(transferRequest, for: request)
  }

  /// Sends the request, or what the cache makes of it, or answers it from the cache.
  private func consultCache(_ transferRequest: consuming TransferRequest, for request: URLRequest) {
    guard connection.isExchange else { return start(transferRequest) }
    var isDownload: Bool { if case .file? = presetSink { true } else { false } }
    perform(
      cache.consult(
        transferRequest, for: request, configured: context.configuration.cachePolicy, isDownload: isDownload))
  }

  private func perform(_ step: consuming LoadCache.Step) {
    switch consume step {
    case .send(let request): start(request)
    case .fail: failUncached()
    case .serve(let answer):
      Timeline.emit(.note("answered from the cache"), subject: subject)
      tellStored(status: answer.status)
      serve(answer)
    case .wait(let store, let key, let request):
      let number = beginLookup()
      store.waitInLine(key, on: context.transport) { if self.endsLookup(number) { self.start(request) } }
    case .find(let store, let original, let asked, let news, let request):
      let number = beginLookup()
      store.find(asked, for: original, news: news, on: context.transport) { found in
        if self.endsLookup(number) { self.perform(self.cache.conclude(asked, found, request)) }
      }
    }
  }

  /// Connects, without a request.
  private func connect() {
    do throws(URLError) {
      start(try RawConnection.request(for: currentRequest, subject: subject, context.configuration))
    } catch {
      end(error)
    }
  }

  /// Starts a transfer.
  func start(_ request: consuming TransferRequest) {
    let server = proxy(for: request)
    if let fault = server?.fault {
      return end(LoadError.error(.cannotConnectToHost, url: currentURL, description: fault))
    }
    route(&request, through: server)
    request.versions = context.configuration.wire.tlsVersions
    guard var transport = transport(for: &request) else { return }
    if RawConnection.isWanted(for: request) {
      transport = context.rawTransport
    } else if let own = knownChallenges?.loginTransport(for: request) {
      transport = own
    }
    request.totalTimeout = deadline.remaining
    exchanges.begin(currentRequest, isProxied: request.proxy != nil)
    tell(request)
    let body = request.body
    let transfer = transport.start(request, consumer: self)
    self.transfer = transfer
    note(.sourceStarted(.transfer))
    if case .source(let source as any WakingSource, _) = body {
      source.whenReady { [weak transfer] in transfer?.resumeSending() }
    }
    if !holds.isEmpty { transfer.pauseAtOnce() }
  }

  // MARK: Trust

  /// The connections over which `request` goes out now; nil when it is held until the client has decided.
  private func transport(for request: inout TransferRequest) -> Transport? {
    if request.use != .exchange || request.proxy?.kind == .tunnel { challenges.hold(request) }
    guard request.isSecure, let decisions = partners?.decisions, let origin = Origin(URL(string: request.url)) else {
      return context.transport
    }
    switch challenges.wanted(&request, at: origin, for: decisions) {
    case .send(let transport): return transport
    case .ask(let certificates): perform(.ask(challenges.question(about: certificates, of: origin)))
    case .look where connection.isSecured:
      request.peerPolicy = .show
      return context.transport
    case .look: look(for: request)
    }
    return nil
  }

  /// Has the server show its certificates. Nothing of the request is in this transfer.
  private func look(for request: TransferRequest) {
    let bare = PeerTrust.look(for: request, within: deadline.remaining, subject: subject)
    transfer = (knownChallenges?.loginTransport(for: bare) ?? context.transport).start(bare, consumer: self)
    note(.sourceStarted(.transfer))
  }

  /// Sends the request that was held.
  func sendHeld(_ request: TransferRequest) {
    if connection.isSecured { return shakeHands(request) }
    note(.requestChosen)
    start(request)
  }

  /// Begins with the handshake, or continues it, unless the client has to be asked before.
  func shakeHands(_ wanted: consuming TransferRequest) {
    if transport(for: &wanted) != nil { transfer?.secure(as: wanted) }
  }
}
