// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// A task in the session's table, and what is under way for it.
struct AgentTaskEntry {
  var task: AgentTask
  /// The attempt that runs.
  var transfer: AgentTransfer?
  /// The load's side of the challenge that is open.
  var challenge: LoadChallenge?
  /// The next attempt, or the beginning.
  var alarm: Alarm?
  var deadline: Alarm?
  /// True if its part is synced in a moment.
  var isSyncing = false
  /// When the task began. The clock on the wall says how old it was when this process first saw it; from then on the time that
  /// has passed counts, whatever clock is set meanwhile.
  let epoch: ContinuousClock.Instant

  init(_ task: AgentTask) {
    self.task = task
    let age = max(0, -task.record.created.timeIntervalSinceNow)
    epoch = ContinuousClock.now - .seconds(min(age, 1e9))
  }

  mutating func transferEnded(_ ending: AgentTransfer.Ending) {
    (transfer, challenge, task.record.counts) = (nil, nil, ending.counts)
    task.note(ending.exchanges, redirects: ending.redirects)
  }

  /// Nothing will happen to the task any more but its delivery.
  mutating func hasEnded() { (alarm, deadline, task.exchanges) = (nil, nil, nil) }
}
