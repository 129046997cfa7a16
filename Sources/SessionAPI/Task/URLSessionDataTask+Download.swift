// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import URLLoading

extension URLSessionDataTask {
  /// A download task takes this one's place; a callback of the mailbox. Nothing happens when this task was cancelled
  /// meanwhile: then its end is on the way.
  func becomeDownload(answering question: LoadQuestion) {
    guard let load else { return }
    let download = session.make(inPlaceOf: self) {
      URLSessionDownloadTask(inPlaceOf: $0, identifier: $1, state: $2, for: .downloadDelegate)
    }
    guard let download, let client = download.client else { return }
    if let delegate = download.delegates.data { deliver(download, to: delegate) }
    load.accept(.file(directory: session.directory), for: client, answering: question)
    // Calls of the one task while the other was being made.
    download.live { _ in }
  }

  func deliver(_ download: URLSessionDownloadTask, to delegate: any URLSessionDataDelegate) {
    DelegateMethod.didBecomeDownload.run(on: delegate) {
      download.announce(.didBecomeDownload)
    } call: {
      delegate.urlSession(session, dataTask: self, didBecome: download)
    }
  }
}

extension URLSession {
  /// A task that takes the place of a data task; nil when that has ended.
  func make<Next: URLSessionTask>(
    inPlaceOf task: URLSessionDataTask, _ make: (URLSessionDataTask, Int, TaskState) -> Next
  ) -> Next? {
    guard let identifier = changing.withLock({ $0.registry.reserve(inPlaceOf: task) }) else { return nil }
    let made = task.shared.withLock { state -> Next? in
      guard let next = state.handOver() else { return nil }
      let made = make(task, identifier, next)
      state.successor = made.client
      return made
    }
    guard let made else { return nil }
    let isTooLate = changing.withLock { $0.registry.replace(task, by: made) }
    if isTooLate { made.cancel() }
    return made
  }
}
