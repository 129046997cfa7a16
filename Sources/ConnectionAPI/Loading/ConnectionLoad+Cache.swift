// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Timeline
import URLLoading

extension ConnectionLoad {
  /// A data delegate is asked unless it is known to have left the method out.
  var decidesStoring: Bool {
    guard let delegate = active?.delegate.data else { return false }
    return !DelegateMethod.willCacheResponse.isKnownToBeLeftOut(by: delegate)
  }

  /// The response is complete: asks the delegate whether to store it.
  func load(_ load: Load, willCache response: CachedURLResponse, asking question: LoadQuestion) {
    guard active?.delegate.data != nil else { return load.cache(response, answering: question) }
    delivery.post { [self] in askAboutStoring(response, of: load, question) }
  }

  private func askAboutStoring(_ response: CachedURLResponse, of load: Load, _ question: LoadQuestion) {
    guard let (connection, delegate) = active, let data = delegate.data else { return }
    let answer = DelegateMethod.willCacheResponse.run(on: data) {
      Timeline.emit(DelegateMethod.willCacheResponse.event, subject: subject)
    } call: {
      data.connection(connection, willCacheResponse: response)
    }
    if active != nil { load.cache(answer, answering: question) }
  }
}
