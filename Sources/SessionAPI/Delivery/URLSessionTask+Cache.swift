// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
package import URLLoading

extension URLSessionTask {
  /// The whole response has come: a data delegate is asked whether it shall be stored.
  package func load(_ load: Load, willCache response: CachedURLResponse) {
    guard case .dataDelegate = shared.withLock({ $0.receiver }), dataDelegate != nil else {
      return load.cache(response)
    }
    mailbox.post { [self] in
      guard isWanted, let task = self as? URLSessionDataTask, let delegate = dataDelegate else {
        return load.cache(nil)
      }
      task.deliver(willCache: response, to: delegate) { load.cache($0) }
    }
  }
}

extension URLSessionDataTask {
  func deliver(
    willCache response: CachedURLResponse, to delegate: any URLSessionDataDelegate,
    answer: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    let once = AnswerOnce()
    DelegateMethod.willCacheResponse.run(on: delegate) {
      announce(.willCacheResponse)
    } call: {
      delegate.urlSession(session, dataTask: self, willCacheResponse: response) {
        if once.claim() { answer($0) }
      }
    }
  }
}
