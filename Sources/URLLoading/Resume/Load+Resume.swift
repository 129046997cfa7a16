// SPDX-License-Identifier: Apache-2.0
import Foundation
import Timeline
import Transport

/// What a load knows about downloads that stop and go on. Of the I/O thread.
struct ResumeState {
  /// What there was when the load began; nil once the server has refused to go on with it.
  var record: ResumeRecord?
  /// The file of `record`, once it is open and until it is written to.
  var file: PartialFile?
  /// The length of the whole, once the server goes on.
  var total: Int64?
  /// The head of a response whose body may yet become a file.
  var head: ResponseHead?
  /// What the response promises for a later attempt.
  var offer: ResumeRules.Offer?
  /// Whether an earlier download was dropped, so that this one starts from the beginning.
  var wasRestarted = false
  /// Whether the client wants to go on later.
  var isWanted = false
}

extension Load {
  /// Ends the load as cancelled, unless it has ended, with what is needed to go on later, where that is possible.
  package func cancelToResume() {
    Timeline.emit(.cancelled, subject: subject)
    context.transport.perform {
      self.resumption.isWanted = true
      self.end(LoadError.error(.cancelled, url: self.currentURL, description: "cancelled"))
    }
  }

  /// Opens the file of an earlier download, then asks the server for the rest.
  func openPartial() {
    guard let record = resumption.record, case .file(let directory)? = presetSink else { return send(originalRequest) }
    let number = beginLookup()
    FileSink.disk.async { [self] in
      do throws(ResumeRefusal) {
        let file = try PartialFile(of: record, in: directory)
        context.transport.perform { if self.endsLookup(number) { self.opened(file, of: record) } }
      } catch {
        context.transport.perform { if self.endsLookup(number) { self.refused(error) } }
      }
    }
  }

  private func opened(_ file: PartialFile, of record: ResumeRecord) {
    resumption.file = file
    let request = ResumeRules.request(originalRequest, for: record)
    setCurrent(request)
    send(request)
  }

  private func refused(_ refusal: ResumeRefusal) {
    resumption.record = nil
    end(LoadError.unresumable(refusal, url: originalRequest.url))
  }

  /// Takes the head of the final response, and announces it.
  func concluded(by head: ResponseHead, _ response: HTTPURLResponse) -> TransferFlow? {
    noteForCache(head)
    guard case .file? = presetSink else {
      if presetSink == nil { resumption.head = head }
      return announce(response)
    }
    guard let record = resumption.record else {
      noteOffer(of: head)
      return announce(response)
    }
    switch ResumeRules.outcome(of: head, for: record) {
    case .goesOn(let total):
      resumption.total = total
      resumption.offer = ResumeRules.Offer(validator: record.validator, total: total)
    case .startsAnew:
      forgetPartial()
    case .asksForAll:
      forgetPartial()
      setCurrent(originalRequest)
      goOn(with: originalRequest)
      return .proceed
    }
    return announce(response)
  }

  private func noteOffer(of head: ResponseHead) {
    let now = Int64(Date().timeIntervalSince1970)
    resumption.offer = ResumeRules.offer(of: head, to: originalRequest, now: now)
  }

  private func forgetPartial() {
    if let file = resumption.file { FileSink.disk.async { file.discard() } }
    (resumption.file, resumption.record) = (nil, nil)
    resumption.wasRestarted = true
  }

  /// The sink for a download: it goes on with the earlier file, or begins a new one.
  func makeFileSink(in directory: URL, expecting expected: Int64) -> FileSink {
    let transport = context.transport
    if let head = resumption.head.take() { noteOffer(of: head) }
    guard let record = resumption.record, let file = resumption.file, let total = resumption.total else {
      // A redirect that is not followed is a response like any other.
      if resumption.record != nil { forgetPartial() }
      if resumption.wasRestarted { client?.load(self, didResumeAt: 0, expected: expected) }
      return FileSink(in: directory, expecting: expected, transport: transport) { [weak self] in self?.told($0) }
    }
    resumption.file = nil
    addReceived(Int(clamping: record.offset))
    client?.load(self, didResumeAt: record.offset, expected: total)
    return FileSink(
      in: directory, after: (file, record.offset), expecting: total - record.offset, transport: transport
    ) { [weak self] in self?.told($0) }
  }

  /// What the sink of a file tells.
  func told(_ report: FileSink.Report) {
    guard !machine.isEnded, case .file(let sink) = output else { return }
    switch report {
    case .created(let url, let number): tellFile(url, number)
    case .wrote(let total):
      client?.load(self, didWrite: total, expected: expectedFileLength)
      if sink.hasRoom { release(.disk) }
    case .notCreated(let error): end(LoadError.disk(.cannotCreateFile, error, url: currentURL))
    case .notWritten(let error): end(LoadError.disk(.cannotWriteToFile, error, url: currentURL))
    case .finished(let url):
      finishedFile = url
      end(nil)
    }
  }

  /// Tells how the file that was just created could be gone on with if this process ended now.
  private func tellFile(_ url: URL, _ number: UInt64) {
    guard let offer = resumption.offer else { return }
    client?.load(
      self,
      wouldResume: ResumeRecord(
        request: originalRequest, received: 1, total: offer.total, validator: offer.validator,
        fileName: url.lastPathComponent, fileNumber: number))
  }

  /// How many bytes the file will have; -1 when nobody knows.
  var expectedFileLength: Int64 { resumption.total ?? response?.expectedContentLength ?? -1 }

  /// Why a file that seems complete is not: the rest was shorter or longer than the server had said.
  var faultOfResumedFile: URLError? {
    guard let total = resumption.total, bytesReceived != total else { return nil }
    return LoadError.error(
      .cannotParseResponse, url: currentURL,
      description: "The resumed download has \(bytesReceived) bytes in place of \(total).")
  }

  /// Leaves a file that is not complete: as part of a download that can be resumed, or removed. Then tells the end.
  func leave(_ sink: FileSink, _ end: LoadEnd, _ client: any LoadClient) {
    guard let error = end.error, let offer = resumption.offer,
      resumption.isWanted && error.code == .cancelled || ResumeRules.isWorthKeeping(after: error.code)
    else { return sink.discard { client.load(self, didEnd: end) } }
    sink.keep { file in
      var end = end
      if let file, file.count > 0 { end.partial = self.partial(file, offer) }
      client.load(self, didEnd: end)
    }
  }

  private func partial(_ file: PartialFile, _ offer: ResumeRules.Offer) -> PartialDownload {
    PartialDownload(
      ResumeRecord(
        request: originalRequest, received: file.count, total: offer.total, validator: offer.validator,
        fileName: file.url.lastPathComponent, fileNumber: file.number),
      file: file)
  }

  /// The same after an end before the server has answered: what there was is as good as before.
  func untouchedPartial(after error: URLError?) -> PartialDownload? {
    guard let record = resumption.record, resumption.total == nil, let error else { return nil }
    guard resumption.isWanted || error.code != .cancelled else { return nil }
    return PartialDownload(record, file: resumption.file)
  }
}

extension LoadError {
  /// The error of a download that cannot be resumed: −1002 for what is no resume data, −3001 for any other reason, which the
  /// description tells. Where the system refused to open the file, its error stands beneath.
  package static func unresumable(_ refusal: ResumeRefusal, url: URL?) -> URLError {
    error(
      refusal.code, url: url, underlying: refusal.cause,
      description: "The download cannot be resumed. \(refusal.description)")
  }
}
