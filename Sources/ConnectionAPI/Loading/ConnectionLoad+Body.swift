// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import Timeline
import URLLoading

/// The request's body: the delegate gives new streams and gets reports of progress, where callbacks run.
extension ConnectionLoad {
  /// Asks for a stream in place of the one that has been sent from.
  func needBody(of load: Load, for request: URLRequest, _ question: LoadQuestion) {
    guard let (connection, delegate) = active, let data = delegate.data else { return }
    let stream = DelegateMethod.needNewBodyStream.run(on: data) {
      Timeline.emit(DelegateMethod.needNewBodyStream.event, subject: subject)
    } call: {
      data.connection(connection, needNewBodyStream: request)
    }
    let isThere = BodyStreamMethod.wasCalled(on: data)
    guard active != nil else { return }
    load.provide(stream.map { .stream($0) } ?? (isThere ? .none : .copy), answering: question)
  }

  /// Reports the bytes sent since the last call to the delegate.
  func deliverSent() {
    guard let (connection, delegate) = active, let data = delegate.data else { return }
    guard let piece = state.withLock({ $0.hasResponse ? nil : $0.sent.take() }) else { return }
    DelegateMethod.didSendBodyData.run(on: data) {
      Timeline.emit(
        DelegateMethod.didSendBodyData.event, subject: subject,
        payload: .progress(piece: piece.bytes, total: piece.total, expected: piece.expected))
    } call: {
      data.connection(
        connection, didSendBodyData: Int(clamping: piece.bytes), totalBytesWritten: Int(clamping: piece.total),
        totalBytesExpectedToWrite: Int(clamping: piece.expected))
    }
  }
}
