// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import URLLoading

extension URLSessionTask {
  /// Reports what was measured, just before the completion.
  func deliverMetrics(_ end: LoadEnd) {
    guard let delegate = delegates.task else { return }
    deliver(URLSessionTaskMetrics(end, since: creation, creationInstant), to: delegate)
  }

  func deliver(_ metrics: URLSessionTaskMetrics, to delegate: any URLSessionTaskDelegate) {
    DelegateMethod.didFinishCollecting.run(on: delegate) {
      announce(.didFinishCollecting)
    } call: {
      delegate.urlSession(session, task: self, didFinishCollecting: metrics)
    }
  }
}
