// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Transport

/// Between the machine and the world: facts go in, and what follows from them is done. On the I/O thread.
extension Load {
  var client: (any LoadClient)? { partners?.client }

  /// Hands a fact to the machine and does what follows.
  func handle(_ event: LoadMachine.Event) {
    perform(note(event))
  }

  /// Puts a question, whose number its answer has to name.
  func ask(_ question: LoadMachine.Question) -> LoadQuestion {
    note(.asked(question))
    return LoadQuestion(number: machine.number)
  }

  /// Takes an answer, from any thread.
  func answer(_ question: LoadQuestion, _ answer: LoadMachine.Answer) {
    context.transport.perform { self.handle(.answered(number: question.number, answer)) }
  }

  private func perform(_ action: LoadMachine.Action) {
    switch action {
    case .none, .proceed: break
    case .send(let request, let body): send(request, with: body)
    case .sendAgain: send(currentRequest)
    case .follow(let response, let request): follow(response, to: request)
    case .replace(let request): turn(to: request)
    case .deliver(let response): deliver(response)
    case .open(let sink, let response): open(answer: sink, for: response)
    case .ask(let proposal, let credential): perform(.ask(challenges.question(proposal, proposed: credential)))
    case .decide(let answer, let challenge, let subject):
      tell(answer, to: challenge)
      challenges.step(after: answer, to: challenge, subject, for: partners?.decisions, url: currentURL).map(perform)
    case .judge(let head): cookiesAreStored(of: head)
    case .store(let response, let storable):
      storable.keep(response) { self.context.transport.perform { self.handle(.stored) } }
    case .finish: finishIfComplete()
    case .timeOut: end(LoadError.error(.timedOut, url: currentURL, description: "The request timed out."))
    }
  }
}

// MARK: - Challenges

extension Load {
  /// Does what a challenge leads to.
  func perform(_ step: LoadChallenges.Step) {
    switch step {
    case .supersede(let response): supersede(response, by: currentRequest)
    case .deliver(let response): deliver(response)
    case .sendHeld(let request): sendHeld(request)
    case .end(let error): end(error)
    case .ask(let question):
      let challenge = LoadChallenge(
        number: machine.number + 1, space: question.space, proposed: question.proposed, failures: question.failures,
        response: question.response)
      _ = ask(.challenge(challenge, question.subject))
      partners?.decisions.load(self, didReceive: challenge)
    case .find(let proposal, let keeper):
      let question = ask(.proposal(proposal))
      keeper.find(proposal.question.offer.space) { found in
        self.answer(question, .proposal(found == proposal.question.rejected ? nil : found))
      }
    }
  }
}

// MARK: - The deadline, and lookups

extension Load {
  /// Ends the load at its deadline, where no transfer does.
  var totalTimeEnded: @Sendable () -> Void {
    { [weak self] in
      guard let self else { return }
      context.transport.perform { self.handle(.totalTimeEnded) }
    }
  }

  /// Another queue looks something up for the request. Returns the number by which the result is recognised.
  func beginLookup() -> Int {
    note(.lookupBegan)
    return machine.number
  }

  /// True if the result of that lookup is still wanted.
  func endsLookup(_ number: Int) -> Bool {
    if case .proceed = note(.lookupEnded(number: number)) { true } else { false }
  }
}

// MARK: - Pauses

extension Load {
  func hold(_ reason: ReadingHold) -> TransferFlow {
    holds.insert(reason)
    return .pause
  }

  func release(_ reason: ReadingHold) {
    guard holds.contains(reason) else { return }
    holds.remove(reason)
    readOn()
  }

  /// True if bytes may come.
  var isReading: Bool { holds.isEmpty && !machine.pausesReading }

  /// Reads on, if nothing stands against it.
  func readOn() {
    guard isReading else { return }
    transfer?.resumeAtOnce()
    passStored()
    drainSource()
  }
}

// MARK: - Files

extension Load {
  /// The sink of a file reports.
  func reported(_ report: FileSink.Report) {
    guard !machine.isEnded, case .file(let sink) = output else { return }
    switch report {
    case .created(let url, let number):
      if let record = resumption.record(ofCreated: url, number) { partners?.progress?.load(self, wouldResume: record) }
    case .wrote(let total):
      partners?.progress?.load(self, didWrite: total, expected: resumption.expectedLength(with: response))
      if sink.hasRoom { release(.disk) }
    case .notCreated(let error): end(LoadError.disk(.cannotCreateFile, error, url: currentURL))
    case .notWritten(let error): end(LoadError.disk(.cannotWriteToFile, error, url: currentURL))
    case .finished(let url):
      finishedFile = url
      end(nil)
    }
  }
}

// MARK: - Failures

/// The end of a transfer, and of the load. On the I/O thread.
extension Load {
  package func transfer(_ transfer: Transfer, didEnd failure: TransferFailure?, metrics: TransferMetrics) {
    guard self.transfer === transfer, !machine.isEnded else { return }
    // A redirect that is being followed is complete without its body.
    if machine.isDraining { return handle(.sourceEnded) }
    // Whether the cut or the answer comes first is chance, so the cut waits for the answer.
    if let failure, failure.cause == .connectionLost, machine.mayFollow {
      return handle(.sourceCut(error(for: failure, of: transfer)))
    }
    note(.sourceEnded)
    guard let failure else { return finishIfComplete() }
    let remedy = machine.remedy(
      for: failure.cause, waitsForConnectivity: context.configuration.waitsForConnectivity,
      continuesUploads: upload != nil, mayGoRoundProxy: detour?.isOpen ?? false)
    if !perform(remedy, after: transfer, failure) { end(error(for: failure, of: transfer)) }
  }

  /// False when the failure is the load's end.
  private func perform(_ remedy: LoadMachine.Remedy, after transfer: Transfer, _ failure: TransferFailure) -> Bool {
    switch remedy {
    case .end: false
    case .sendAgain: sendsAgain()
    case .waitForNetwork: waitsForConnectivity()
    case .askClient: asks(after: transfer, failure)
    case .continueUpload: continuesUpload(after: transfer, failure)
    case .goRoundProxy: goesRound()
    }
  }

  /// Sends the request again, unless its body cannot start again.
  private func sendsAgain() -> Bool {
    guard body.connectionLost() else { return false }
    transfer = nil
    send(currentRequest)
    return true
  }

  /// Waits for a network, unless its changes cannot be observed.
  private func waitsForConnectivity() -> Bool {
    transfer = nil
    let step = connectivity.networkLost { [weak self] in
      guard let self else { return }
      context.transport.perform { self.handle(.networkChanged) }
    }
    switch step {
    case nil: return false
    case .tryAgain: send(currentRequest)
    case .wait(let isFirst):
      note(.networkLost)
      if isFirst { partners?.progress?.loadWaitsForConnectivity(self) }
    }
    return true
  }

  /// Asks how much of an upload has come, unless the server has not said where to ask.
  private func continuesUpload(after transfer: Transfer, _ failure: TransferFailure) -> Bool {
    guard let question = upload?.interrupted(error(for: failure, of: transfer)) else { return false }
    self.transfer = nil
    setCurrent(question)
    send(question)
    return true
  }

  /// True if a transfer ended so that the client has to be asked first, and is asked now: for the proxy's sake, about the
  /// server's certificate, or for one of the client's own.
  func asks(after transfer: Transfer, _ failure: TransferFailure) -> Bool {
    guard
      let step = knownChallenges?.step(
        after: transfer, failure, for: partners?.decisions, url: currentURL,
        body: body.place(in: currentRequest))
    else { return false }
    // A transfer that is over leaves its place; a handshake that waits keeps it.
    if !connection.isSecured { self.transfer = nil }
    perform(step)
    return true
  }

  /// The error for a failure of `transfer`; one about certificates carries what the server showed.
  func error(for failure: TransferFailure, of transfer: Transfer) -> URLError {
    if let error = connection.error(after: failure, url: currentURL) { return error }
    let error = LoadError.error(for: failure, url: currentURL)
    let certificates = transfer.peerCertificates
    guard !certificates.isEmpty, (-1204 ... -1201).contains(error.errorCode), let host = currentURL?.host else {
      return error
    }
    var info = error.userInfo
    info[NSURLErrorFailingURLPeerTrustErrorKey] = context.trust(certificates, of: host)
    return URLError(error.code, userInfo: info)
  }
}

// MARK: - The end of the load

extension Load {
  func finishIfComplete() {
    if let error = machine.cut { return end(error) }
    guard machine.isComplete else { return }
    if case .multipart(let body) = output, !finish(body) { return }
    if let partners, let (response, storable) = cache.offer(to: partners.decisions) {
      let question = ask(.storing(storable))
      flushBody(partners.client)
      return partners.decisions.load(self, willCache: response, asking: question)
    }
    guard case .file(let sink) = output else { return end(nil) }
    if let fault = resumption.fault(ofWhole: bytesReceived, url: currentURL) { end(fault) } else { sink.finish() }
  }

  func failUncached() {
    end(
      LoadError.error(
        .resourceUnavailable, url: currentURL,
        description: "Nothing is cached for this URL, and the cache policy forbids to load it."))
  }

  /// The one end, whatever led to it. A file that is not wanted any more is gone before the client is called.
  func end(_ error: URLError?) {
    guard !machine.isEnded, let client else { return }
    if machine.source == .transfer { transfer?.cancel() }
    note(.ended)
    transfer = nil
    dropSource()
    connectivity.end()
    partners = nil
    flushBody(client)
    var end = LoadEnd(error: error, body: nil, file: finishedFile)
    end.partial = resumption.untouchedPartial(after: error)
    end.partialUpload = upload?.partial(after: error, body: body.given)
    (end.exchanges, end.redirectCount) = (exchanges.all, redirectCount)
    if case .collect(let collector) = output { end.body = collector.take() }
    if case .file(let sink) = output, finishedFile == nil {
      finish(sink, end, client)
    } else {
      client.load(self, didEnd: end)
    }
    output = .none
  }

  /// Keeps a file that is not complete: as part of a download that can be resumed, or removed. Then reports the end.
  private func finish(_ sink: FileSink, _ end: LoadEnd, _ client: any LoadClient) {
    guard resumption.isWorthKeeping(after: end.error) else { return sink.discard { client.load(self, didEnd: end) } }
    sink.keep { file in
      var end = end
      if let file, file.count > 0 { end.partial = self.resumption.partial(file) }
      client.load(self, didEnd: end)
    }
  }
}
