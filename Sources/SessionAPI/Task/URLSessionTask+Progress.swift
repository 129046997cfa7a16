// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Synchronization
import URLLoading

extension URLSessionTask {
  /// The task's `Progress`, made when it is asked for.
  var knownProgress: Progress {
    let (progress, isNew) = shared.withLock { state in
      if let known = state.progress { return (known, false) }
      let new = Progress(parent: nil, userInfo: nil)
      state.progress = new
      return (new, true)
    }
    guard isNew else { return progress }
    progress.isCancellable = true
    progress.isPausable = true
    progress.cancellationHandler = { [weak self] in self?.cancel() }
    progress.pausingHandler = { [weak self] in self?.suspend() }
    progress.resumingHandler = { [weak self] in self?.resume() }
    hasProgress.store(true, ordering: .releasing)
    updateProgress()
    return progress
  }

  /// Called whenever a count has changed: the progress is seldom in use.
  func updateProgress() {
    guard hasProgress.load(ordering: .acquiring) else { return }
    let state = shared.withLock { ($0.progress, $0.life.state) }
    guard let progress = state.0 else { return }
    var done = countOfBytesSent + countOfBytesReceived
    // A server may announce any length.
    let (sum, overflows) = max(0, countOfBytesExpectedToSend).addingReportingOverflow(
      max(0, countOfBytesExpectedToReceive))
    var total = overflows ? Int64.max : sum
    if state.1 == .completed {
      // An empty body is done as well.
      done = max(done, total, 1)
      total = done
    }
    progress.totalUnitCount = total > 0 ? max(total, done) : -1
    progress.completedUnitCount = done
  }
}
