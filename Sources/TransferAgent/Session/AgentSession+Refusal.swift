// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// Tasks that no journal on the disk has, while the disk takes none. They would be lost with this process: they are cancelled,
/// and the client is given the reason.
extension AgentSession {
  /// `resume` serves to continue a part in the session's folder, which the client takes.
  func refuse(_ task: TransferRecord, resume: Data?) {
    remove(task.key)
    var failure = FailureRecord(
      code: URLError.Code.cancelled.rawValue, description: "The transfer agent has no room to keep the task.",
      url: task.request.url)
    failure.cancelledReason = URLError.BackgroundTaskCancelledReason.insufficientSystemResources.rawValue
    failure.resume = resume
    let outcome = TransferOutcome(order: nextOrder, file: nil, response: nil, url: nil, failure: failure)
    send(.ended(task.key, outcome, task.counts))
  }
}
