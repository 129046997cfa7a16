// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import URLLoading

extension URLSessionDataTask {
  /// A stream task takes this one's place; a callback of the mailbox. Nothing happens when this task was cancelled
  /// meanwhile: then its end is on the way.
  func becomeStream(answering question: LoadQuestion) {
    guard let load else { return }
    let driver = StreamDriver(isBody: true)
    let stream = session.make(inPlaceOf: self) {
      URLSessionStreamTask(inPlaceOf: $0, identifier: $1, state: $2, driver: driver)
    }
    guard let stream else { return }
    if let delegate = stream.delegates.data { deliver(stream, to: delegate) }
    driver.begin(with: load, stream, answering: question)
    // Calls of the one task while the other was being made.
    stream.live { _ in }
  }

  func deliver(_ stream: URLSessionStreamTask, to delegate: any URLSessionDataDelegate) {
    DelegateMethod.didBecomeStream.run(on: delegate) {
      stream.announce(.didBecomeStream)
    } call: {
      delegate.urlSession(session, dataTask: self, didBecome: stream)
    }
  }
}
