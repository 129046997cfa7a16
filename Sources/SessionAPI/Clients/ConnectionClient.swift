// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// A stream's or a WebSocket's driver has the connection to itself.
final class ConnectionClient: TaskClient, RawConnectionClient, @unchecked Sendable {
  // Sendable: as its superclass.
  private let user: any RawConnectionUser

  init(_ task: URLSessionTask, _ user: any RawConnectionUser) {
    self.user = user
    super.init(task)
  }

  /// A stream reads the parts of a body that has some one after the other.
  override func load(_ load: Load, didReceive response: URLResponse, asking question: LoadQuestion?) {
    super.load(load, didReceive: response, asking: question)
    if let question { load.accept(.stream, answering: question) }
  }

  override func loadHasBody(_ load: Load) {
    user.bodyCame(task)
  }

  override var rawConnection: (any RawConnectionClient)? { self }

  func load(_ load: Load, didOpen response: HTTPURLResponse?, protocolName: String?) {
    user.opened(response, protocolName, task)
  }

  func loadSecured(_ load: Load) {
    user.secured(task)
  }

  func load(_ load: Load, didReceive bytes: UnsafeRawBufferPointer) -> Bool {
    task.updateProgress()
    return unsafe user.received(bytes, task)
  }

  func load(_ load: Load, didTake total: Int64) {
    user.sent(total, task)
  }

  func loadReachedEndOfInput(_ load: Load) {
    user.inputEnded(task)
  }

  override func ended(_ end: LoadEnd, of load: Load) {
    let refusal = task.shared.withLock { $0.refusal }
    var end = end
    if refusal == nil, let error = end.error { end.error = user.cause(of: error, task) }
    end.error = (refusal ?? end.error).map { user.shown($0) }
    user.ended(end.error, task) { [end] in self.conclude(end, of: load) }
  }

  override func shown(_ request: URLRequest) -> URLRequest { user.shown(request) }
}
