// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import Timeline
import URLLoading

/// A data delegate gets response, pieces of data and completion.
final class DataClient: TaskClient, @unchecked Sendable {
  // Sendable: as its superclass.

  /// The largest piece of data a delegate is given: large enough to keep callbacks few, half of what may wait.
  static let largestPiece = 512 * 1024

  private let dataTask: URLSessionDataTask

  init(_ task: URLSessionDataTask) {
    dataTask = task
    super.init(task)
  }

  // MARK: On the I/O thread

  override func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?) {
    super.load(load, didReceive: response, asking: question)
    guard let question else { return }
    guard task.delegates.data != nil else { return load.accept(.stream, answering: question) }
    task.mailbox.post { [self] in deliver(response, of: load, question) }
  }

  override func loadHasBody(_ load: Load) {
    task.mailbox.post { [self] in deliverBody(of: load) }
  }

  /// A data delegate is asked unless it is known to have left the method out.
  override var decidesStoring: Bool { task.isWanted(.willCacheResponse) { $0.data } }

  /// The whole response has arrived: the delegate is asked whether it shall be stored.
  override func load(_ load: Load, willCache response: CachedURLResponse, asking question: LoadQuestion) {
    guard task.delegates.data != nil else { return load.cache(response, answering: question) }
    task.mailbox.post { [dataTask] in
      guard let delegate = dataTask.receiver(\.data) else { return load.cache(nil, answering: question) }
      dataTask.deliver(willCache: response, to: delegate) { load.cache($0, answering: question) }
    }
  }

  // MARK: On the delegate queue

  private func deliver(_ response: URLResponse, of load: Load, _ question: LoadQuestion) {
    guard let delegate = task.receiver(\.data) else { return }
    dataTask.deliver(response, to: delegate) { [self, dataTask] disposition in
      switch disposition {
      case .allow: load.accept(bodySink(for: response), answering: question)
      case .cancel: dataTask.cancel()
      case .becomeDownload: dataTask.mailbox.post { dataTask.becomeDownload(answering: question) }
      case .becomeStream: dataTask.mailbox.post { dataTask.becomeStream(answering: question) }
      }
    }
  }

  /// Where the body goes. Parts that replace one another come in pieces anyway.
  private func bodySink(for response: URLResponse) -> BodySink {
    guard !task.prefersIncrementalDelivery else { return .stream }
    task.shared.withLock { $0.countsDelivered = response is PartResponse }
    return .collect
  }

  private func deliverBody(of load: Load) {
    guard task.isWanted, let piece = load.takeBody(atMost: Self.largestPiece) else { return }
    if load.hasBody { task.mailbox.postFirst { [self] in deliverBody(of: load) } }
    deliver(piece)
  }

  private func deliver(_ piece: Data) {
    task.shared.withLock { $0.received += Int64(piece.count) }
    task.updateProgress()
    if let delegate = task.delegates.data { dataTask.deliver(piece, to: delegate) }
  }

  /// The body of a task that does not prefer it in pieces.
  override func deliverRest(_ end: LoadEnd, of load: Load) {
    if let body = end.body, !body.isEmpty, task.isWanted { deliver(body) }
  }
}

/// A handler gets the whole body at once.
final class DataHandlerClient: TaskClient, @unchecked Sendable {
  // Sendable: as its superclass.
  private let handler: Receiver.DataHandler

  init(_ task: URLSessionTask, _ handler: @escaping Receiver.DataHandler) {
    self.handler = handler
    super.init(task)
  }

  override func deliverCompletion(_ end: LoadEnd, _ response: URLResponse?, _ error: (any Error)?) {
    let data = error == nil ? end.body ?? Data() : nil
    if let data {
      unsafe data.withUnsafeBytes { unsafe task.announce(.callback(name: "completionHandler", detail: ""), .bytes($0)) }
    }
    task.announce(.callback(name: "completionHandler", detail: "end"), .end(error))
    handler(data, response, error)
  }
}

/// A reader awaits the bytes one by one.
final class BytesClient: TaskClient, @unchecked Sendable {
  // Sendable: as its superclass.
  private let channel: ByteChannel

  init(_ task: URLSessionTask, _ channel: ByteChannel) {
    self.channel = channel
    super.init(task)
  }

  override func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?) {
    super.load(load, didReceive: response, asking: question)
    channel.responded(response, of: load)
  }

  override func loadHasBody(_ load: Load) {
    channel.bytesCame()
  }

  override func deliverCompletion(_ end: LoadEnd, _ response: URLResponse?, _ error: (any Error)?) {
    channel.ended(error)
  }
}
