// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

extension URLSessionDataTask {
  /// A download task takes this one's place; a callback of the mailbox. Nothing happens when this task was cancelled
  /// meanwhile: then its end is on the way.
  func becomeDownload() {
    guard let load, let download = session.makeDownload(inPlaceOf: self) else { return }
    if let delegate = download.dataDelegate { deliver(download, to: delegate) }
    load.accept(.file(directory: session.directory), for: download)
    // What was ordered of the one task while the other came to be.
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
  fileprivate func makeDownload(inPlaceOf task: URLSessionDataTask) -> URLSessionDownloadTask? {
    guard let identifier = changing.withLock({ $0.registry.reserve(inPlaceOf: task) }) else { return nil }
    let download = task.shared.withLock { state -> URLSessionDownloadTask? in
      guard let next = state.handOver() else { return nil }
      let download = URLSessionDownloadTask(inPlaceOf: task, identifier: identifier, state: next)
      state.successor = download
      return download
    }
    guard let download else { return nil }
    let isTooLate = changing.withLock { $0.registry.replace(task, by: download) }
    if isTooLate { download.cancel() }
    return download
  }
}
