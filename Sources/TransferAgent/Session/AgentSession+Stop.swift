// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// Tasks that the client cancels and may continue later: the agent leaves it the part of the file.
extension AgentSession {
  /// The client cancels the task and wants to resume it later.
  func stop(_ key: UUID) {
    guard let task = journal.tasks[key], task.outcome == nil else { return send(.stopped(key, nil)) }
    for item in [beginnings.removeValue(forKey: key), deadlines.removeValue(forKey: key)] { item?.cancel() }
    guard let transfer = transfers[key] else { return stopped(key, resumption(of: task)?.data) }
    stopping.insert(key)
    transfer.stop()
  }

  /// The transfer has stopped. Should this process end before the client has the answer, the client asks again.
  func stopped(_ key: UUID, _ resume: Data?) {
    stopping.remove(key)
    change(key) { ($0.resume, $0.boot, $0.isSuspended) = (resume, Boot.current, true) }
    handedOver.insert(key)
    send(.stopped(key, resume))
  }
}
