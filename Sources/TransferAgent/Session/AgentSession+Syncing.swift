// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Dispatch
import Foundation

/// The bytes of a part that are certain to be on the disk: when the machine stops, nothing else may be.
extension AgentSession {
  /// A sync costs the disk a wait, and the journal a visit: all that arrives within this time shares them.
  private static let secondsUntilSync = 5.0

  /// Bytes of a part were written. A moment later they are synced, and the journal says how many the disk has.
  func syncLater(_ key: UUID) {
    guard let entry = tasks[key], entry.task.record.resume != nil, !entry.isSyncing else { return }
    tasks[key]?.isSyncing = true
    agent.queue.asyncAfter(deadline: .now() + Self.secondsUntilSync) { [weak self] in self?.sync(key) }
  }

  private func sync(_ key: UUID) {
    guard let task = tasks[key]?.task.record, tasks[key]?.transfer != nil, let name = fileName(task.resume),
      let file = DiskFile.place(of: name, in: folder)
    else {
      tasks[key]?.isSyncing = false
      return
    }
    // A disk may take its time, and the queue serves all clients.
    DispatchQueue.global(qos: .utility).async { [self] in
      let reason = DiskFile.sync(file.path)
      agent.queue.async { [self] in
        tasks[key]?.isSyncing = false
        guard reason == 0, tasks[key]?.transfer != nil, fileName(tasks[key]?.task.record.resume) == name else { return }
        change(key) { $0.synced = task.counts.received }
      }
    }
  }
}
