// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Locking
import Timeline
import URLLoading

/// The delegate queue's side: each function is one callback of the mailbox.
extension URLSessionTask {
  /// The largest piece of data a delegate is given: large enough to keep callbacks few, half of what may wait.
  static let largestPiece = 512 * 1024

  func deliverResponse(_ response: URLResponse, of load: Load) {
    guard isWanted, let task = self as? URLSessionDataTask, let delegate = dataDelegate else { return }
    task.deliver(response, to: delegate) { [self] disposition in
      switch disposition {
      case .allow: load.accept(bodySink(for: response))
      case .cancel: cancel()
      case .becomeDownload: mailbox.post { task.becomeDownload() }
      case .becomeStream: mailbox.post { task.becomeStream() }
      }
    }
  }

  /// Where the data delegate's body goes. Parts that replace one another come in pieces anyway.
  private func bodySink(for response: URLResponse) -> BodySink {
    guard !prefersIncrementalDelivery else { return .stream }
    shared.withLock { $0.isGathering = !(response is PartResponse) }
    return .collect
  }

  func deliverBody(of load: Load) {
    guard isWanted, let piece = load.takeBody(atMost: Self.largestPiece) else { return }
    if load.hasBody { mailbox.postFirst { [self] in deliverBody(of: load) } }
    deliver(piece)
  }

  private func deliver(_ piece: Data) {
    shared.withLock { $0.received += Int64(piece.count) }
    updateProgress()
    guard let task = self as? URLSessionDataTask, let delegate = dataDelegate else { return }
    task.deliver(piece, to: delegate)
  }

  /// The body of a task that does not prefer it in pieces.
  private func deliverWhole(_ end: LoadEnd) {
    guard let body = end.body, !body.isEmpty, shared.withLock({ $0.life.isWanted && $0.receiver.isIncremental })
    else { return }
    deliver(body)
  }

  func deliverSent() {
    guard isWanted, let piece = shared.withLock({ $0.sent.take() }), let delegate = taskDelegate else { return }
    deliver(sent: piece, to: delegate)
  }

  func deliverWritten() {
    guard isWanted, let piece = shared.withLock({ $0.written.take() }) else { return }
    guard let task = self as? URLSessionDownloadTask, let delegate = downloadDelegate else { return }
    task.deliver(written: piece, to: delegate)
  }

  /// The end: whoever waits for it is told, then the session lets go of the task.
  func deliverEnd(_ end: LoadEnd, of load: Load) {
    deliverFile(end, of: load)
    deliverWhole(end)
    deliverMetrics(end)
    let (receiver, response, failure) = complete(end, of: load)
    let error = failure?.told
    updateProgress()
    switch receiver {
    case .dataDelegate, .downloadDelegate, .link:
      if let delegate = taskDelegate { deliver(completion: error, to: delegate) }
    case .dataHandler(let handler): hand(end.body, response, error, to: handler)
    case .fileHandler(let handler, let keepsFile): hand(end.file, response, error, keepsFile: keepsFile, to: handler)
    case .bytes(let channel): channel.ended(error)
    case .gone: break
    }
    _ = shared.withLock { $0.rest() }
    completionWasDelivered()
    session.taskCompleted(self)
  }

  /// The end for the session where somebody else goes on with the load: `hand` runs in place of a completion. A task that was
  /// cancelled before completes as ever. Returns whether it was handed over.
  func deliverHandover(_ end: LoadEnd, of load: Load, hand: () -> Void) -> Bool {
    let error = complete(end, of: load).2?.told
    updateProgress()
    if let error {
      deliverMetrics(end)
      if let delegate = taskDelegate { deliver(completion: error, to: delegate) }
    } else {
      hand()
    }
    _ = shared.withLock { $0.rest() }
    session.taskCompleted(self)
    return error == nil
  }

  /// Gives a finished download to its delegate. The file is gone when that returns, unless it was moved.
  private func deliverFile(_ end: LoadEnd, of load: Load) {
    guard let file = end.file, case .downloadDelegate = shared.withLock({ $0.receiver }) else { return }
    defer { Self.remove(file) }
    // The load tells of whole blocks; what it wrote last, when it closed the file, is told here.
    let expected = countOfBytesExpectedToReceive
    let received = bytesReceived(by: load)
    if shared.withLock({ $0.written.reported(received, expected: expected) }) { deliverWritten() }
    guard isWanted, let task = self as? URLSessionDownloadTask, let delegate = downloadDelegate else { return }
    task.deliver(file: file, to: delegate)
  }

  /// Makes the task a completed one. A cancel wins over any other end that was not delivered yet.
  private func complete(_ end: LoadEnd, of load: Load) -> (Receiver, URLResponse?, URLError?) {
    let received = bytesReceived(by: load)
    let (isCancelled, receiver, response, error) = shared.withLock { state in
      if case .dataDelegate = state.receiver {} else { state.received = received }
      defer { state.receiver = .gone }
      let error = state.refusal ?? end.error
      state.error = error?.told
      return (state.life.completed(), state.receiver, state.response, error)
    }
    guard isCancelled, error?.code != .cancelled else { return (receiver, response, error) }
    let cancellation = LoadError.error(.cancelled, url: currentRequest?.url, description: "cancelled")
      .carrying([
        NSURLSessionDownloadTaskResumeData: error?.downloadTaskResumeData,
        NSURLSessionUploadTaskResumeData: error?.uploadTaskResumeData,
      ])
    shared.withLock { $0.error = cancellation }
    return (receiver, response, cancellation)
  }

  private func hand(_ body: Data?, _ response: URLResponse?, _ error: (any Error)?, to handler: Receiver.DataHandler) {
    let data = error == nil ? body ?? Data() : nil
    if let data {
      data.withUnsafeBytes { announce(.callback(name: "completionHandler", detail: ""), .bytes($0)) }
    }
    announce(.callback(name: "completionHandler", detail: "end"), .end(error))
    handler(data, response, error)
  }

  private func hand(
    _ file: URL?, _ response: URLResponse?, _ error: (any Error)?, keepsFile: Bool, to handler: Receiver.FileHandler
  ) {
    let location = error == nil ? file : nil
    if let location { announce(.callback(name: "completionHandler", detail: ""), .file(path: location.path)) }
    announce(.callback(name: "completionHandler", detail: "end"), .end(error))
    handler(location, response, error)
    if let file, !keepsFile || location == nil { Self.remove(file) }
  }

  private static func remove(_ file: URL) {
    file.withUnsafeFileSystemRepresentation { path in
      if let path { _ = unlink(path) }
    }
  }
}
