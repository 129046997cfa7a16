// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// Tasks that no journal on the disk has, while the disk takes none. They would be lost with this process: they are cancelled,
/// and the client is given the reason.
extension AgentSession {
  /// A transfer that runs is stopped first, so that the client gets its part back.
  func refuseUnwritten() {
    for key in unwritten {
      guard let task = journal.tasks[key] else { continue }
      guard let transfer = transfers[key] else {
        refuse(task, resume: task.resume)
        continue
      }
      refusals.insert(key)
      transfer.stop()
    }
    unwritten = []
  }

  /// `resume` serves to continue a part in the session's folder, which the client takes.
  func refuse(_ task: TransferRecord, resume: Data?) {
    journal.tasks[task.key] = nil
    drop(task.key)
    var failure = FailureRecord(
      code: URLError.Code.cancelled.rawValue, description: "The transfer agent has no room to keep the task.",
      url: task.request.url)
    failure.cancelledReason = URLError.BackgroundTaskCancelledReason.insufficientSystemResources.rawValue
    failure.resume = resume
    let outcome = TransferOutcome(order: nextOrder, file: nil, response: nil, url: nil, failure: failure)
    send(.ended(task.key, outcome, task.counts))
  }
}
