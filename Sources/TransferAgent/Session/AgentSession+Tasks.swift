// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import URLLoading

/// Tasks come into the table and leave it, and their time runs out.
extension AgentSession {
  /// Continues what an earlier agent has left. Where its journal is lost, a program may still be taking a file of it.
  func takeUp(hasJournal: Bool) {
    if hasJournal { removeStrayFiles() }
    forgetDelivered()
    for (key, entry) in tasks {
      if entry.task.record.outcome == nil, TaskMark.sent.isSet(on: key, in: folder) {
        handle(.answerLost, of: key)
        continue
      }
      // A client learns how much there is before the server has answered.
      if entry.task.record.outcome == nil, let part = resumption(of: entry.task.record) {
        tasks[key]?.task.record.counts.received = part.received
      }
      watchDeadline(key)
      handle(.began, of: key)
    }
    considerLaunch()
  }

  /// Ends that were delivered by a program whose acknowledgement was lost with an agent.
  func forgetDelivered() {
    for (key, entry) in tasks where entry.task.record.outcome != nil && TaskMark.delivered.isSet(on: key, in: folder) {
      forget(key, keepsPart: true)
    }
  }

  /// Files that no task knows of: their agent was killed before it could write down what they were.
  private func removeStrayFiles() {
    let known = tasks.values.map(\.task.record).flatMap { task in
      let parts = [task.resume, task.outcome?.failure?.resume].compactMap { $0 }.compactMap {
        try? ResumeRecord(data: $0)
      }
      return [task.outcome?.file].compactMap { $0 } + parts.map(\.fileName)
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where name.hasPrefix("CFNetworkDownload_") && !known.contains(name) {
      unsafe unlink(folder.appendingPathComponent(name).path)
    }
  }

  func start(_ task: TransferRecord) {
    let key = task.key
    guard tasks[key] == nil else { return handle(.repeated(task.request), of: key) }
    var task = task
    // The client's resume data is believed as far as it is valid; its file is looked at when it is opened.
    let record = task.resume.flatMap { try? ResumeRecord(data: $0) }
    (task.resume, task.boot, task.outcome) = (record.flatMap { _ in task.resume }, Boot.current, nil)
    task.tellsResumption = record == nil ? nil : true
    (task.lacksCredentials, task.synced) = (nil, nil)
    tasks[key] = AgentTaskEntry(AgentTask(task, isNew: true))
    save { [self] in send(.noted(key)) }
    watchDeadline(key)
    handle(.began, of: key)
  }

  /// The task's end was delivered, or it was cancelled. `keepsPart`: what is left of a download is the client's, which has
  /// taken it, and may have brought it back for another task by now. Should it lie here all the same, it is a stray file.
  func forget(_ key: UUID, keepsPart: Bool) {
    let task = remove(key)
    if let file = task?.outcome?.file.flatMap({ DiskFile.place(of: $0, in: folder) }) { unsafe unlink(file.path) }
    for part in [task?.resume, task?.outcome?.failure?.resume] where !keepsPart { removePart(part) }
    save { [self] in
      TaskMark.remove(key, in: folder)
      send(.forgotten(key))
    }
  }

  /// Ends what is under way for a task, and all that is known of it. Returns its record.
  @discardableResult func remove(_ key: UUID) -> TransferRecord? {
    let entry = tasks.removeValue(forKey: key)
    if let transfer = entry?.transfer {
      cancelled.insert(ObjectIdentifier(transfer))
      transfer.cancel()
    }
    return entry?.task.record
  }

  var nextOrder: Int {
    // A journal may say any number.
    let last = max(journal.launched ?? 0, tasks.values.compactMap { $0.task.record.outcome?.order }.max() ?? 0)
    return last < .max ? last + 1 : last
  }

  // MARK: The time of a task

  private func watchDeadline(_ key: UUID) {
    guard let entry = tasks[key], entry.task.record.outcome == nil else { return }
    let seconds = secondsLeft(to: entry)
    guard seconds < 1e9 else { return }
    tasks[key]?.deadline = Alarm(on: agent.queue, after: seconds) { [weak self] in self?.timeEnded(key) }
  }

  private func timeEnded(_ key: UUID) {
    guard let entry = tasks[key] else { return }
    // The configuration may have been given more time.
    if secondsLeft(to: entry) < 1 { handle(.timeEnded, of: key) } else { watchDeadline(key) }
  }

  /// Seconds until the time of a task is over.
  func secondsLeft(to entry: AgentTaskEntry) -> Double {
    journal.settings.wire.totalTimeout - (ContinuousClock.now - entry.epoch) / .seconds(1)
  }
}
