// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Dispatch
import Foundation
import Glibc
import URLLoading

/// The course of a task: waits for its time, is transferred as often as it takes, has ended, is forgotten.
extension AgentSession {
  /// Goes on with what an earlier agent has left.
  func takeUp() {
    removeStrayFiles()
    for key in journal.tasks.keys {
      watchDeadline(key)
      transfer(key)
    }
  }

  /// Files that no task knows of: their agent was killed before it could write down what they were.
  private func removeStrayFiles() {
    let known = journal.tasks.values.flatMap { task in
      [task.outcome?.file, task.resume.flatMap { try? ResumeRecord(data: $0) }?.fileName].compactMap { $0 }
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where name.hasPrefix("CFNetworkDownload_") && !known.contains(name) {
      unlink(folder.appendingPathComponent(name).path)
    }
  }

  func start(_ task: TransferRecord) {
    guard journal.tasks[task.key] == nil else { return }
    var task = task
    (task.resume, task.outcome) = (nil, nil)
    journal.tasks[task.key] = task
    unwritten.insert(task.key)
    save()
    watchDeadline(task.key)
    transfer(task.key)
  }

  /// The disk does not take the journal. Tasks that it does not have yet would be lost with this process: they are
  /// cancelled, and the client hears why.
  func refuseUnwritten() {
    for key in unwritten {
      guard let task = journal.tasks.removeValue(forKey: key) else { continue }
      drop(key)
      var failure = FailureRecord(
        code: URLError.Code.cancelled.rawValue, description: "The transfer agent has no room to keep the task.",
        url: task.request.url)
      failure.cancelledReason = URLError.BackgroundTaskCancelledReason.insufficientSystemResources.rawValue
      let outcome = TransferOutcome(order: nextOrder, file: nil, response: nil, url: nil, failure: failure)
      send(.ended(key, outcome, task.counts))
    }
    unwritten = []
  }

  /// Ends what is under way for a task.
  private func drop(_ key: UUID) {
    for item in [beginnings.removeValue(forKey: key), deadlines.removeValue(forKey: key)] { item?.cancel() }
    (rules[key], responses[key]) = (nil, nil)
    asked.remove(key)
    challenges[key] = nil
    transfers.removeValue(forKey: key)?.cancel()
  }

  private var nextOrder: Int { 1 + (journal.tasks.values.compactMap { $0.outcome?.order }.max() ?? 0) }

  func setSuspended(_ key: UUID, _ isSuspended: Bool) {
    guard let task = journal.tasks[key], task.isSuspended != isSuspended else { return }
    change(key) { $0.isSuspended = isSuspended }
    guard let running = transfers[key] else { return transfer(key) }
    if isSuspended { running.suspend() } else { running.resume() }
  }

  /// The task's end was delivered, or it was cancelled.
  func forget(_ key: UUID) {
    let task = journal.tasks.removeValue(forKey: key)
    drop(key)
    save { [self] in
      if let file = task?.outcome?.file { unlink(folder.appendingPathComponent(file).path) }
      if let task, task.outcome == nil { removePart(task.resume) }
      send(.forgotten(key))
    }
  }

  // MARK: The beginning

  /// Begins, unless it is too early, or already begun, or suspended.
  func transfer(_ key: UUID) {
    guard let task = journal.tasks[key], task.outcome == nil, !task.isSuspended, transfers[key] == nil,
      beginnings[key] == nil, !asked.contains(key)
    else { return }
    if let date = task.earliestBegin {
      if date.timeIntervalSinceNow > 0 { return wait(key, seconds: date.timeIntervalSinceNow) }
      guard channel == nil else {
        asked.insert(key)
        return send(.willBegin(key))
      }
    }
    let record = resumption(of: task)
    let transfer = AgentTransfer(
      task, resuming: record, in: context, folder: folder, isAttended: isAttended, queue: agent.queue
    ) { [weak self] transfer, report in self?.take(report, of: key, transfer) }
    transfers[key] = transfer
    if task.earliestBegin != nil { change(key) { $0.earliestBegin = nil } }
    transfer.start()
  }

  /// The client has answered whether a task shall begin.
  func begin(_ key: UUID, with request: RequestRecord?) {
    guard asked.remove(key) != nil else { return }
    change(key) { task in
      if let request { task.request = request }
      task.earliestBegin = nil
    }
    transfer(key)
  }

  private func wait(_ key: UUID, seconds: Double) {
    let item = DispatchWorkItem { [weak self] in
      self?.beginnings[key] = nil
      self?.transfer(key)
    }
    beginnings[key] = item
    agent.queue.asyncAfter(wallDeadline: .now() + min(max(seconds, 0), 1e9), execute: item)
  }

  private func watchDeadline(_ key: UUID) {
    guard let task = journal.tasks[key], task.outcome == nil else { return }
    let seconds = deadline(of: task).timeIntervalSinceNow
    guard seconds < 1e9 else { return }
    let item = DispatchWorkItem { [weak self] in self?.timeOut(key) }
    deadlines[key] = item
    agent.queue.asyncAfter(wallDeadline: .now() + max(seconds, 0), execute: item)
  }

  private func deadline(of task: TransferRecord) -> Date {
    RetryRule.deadline(created: task.created, totalTimeout: journal.settings.totalTimeout)
  }

  private func timeOut(_ key: UUID) {
    guard let task = journal.tasks[key], task.outcome == nil else { return }
    transfers.removeValue(forKey: key)?.cancel()
    challenges[key] = nil
    beginnings.removeValue(forKey: key)?.cancel()
    removePart(task.resume)
    end(
      task, file: nil, url: nil,
      LoadError.error(
        .timedOut, url: task.request.url, description: "The time for the task is over."))
  }

  // MARK: What a transfer tells

  private func take(_ report: AgentTransfer.Report, of key: UUID, _ transfer: AgentTransfer) {
    guard transfers[key] === transfer, let task = journal.tasks[key] else {
      // Forgotten meanwhile.
      if case .ended(_, let file?, _, _, _) = report { unlink(file.path) }
      return agent.judgeIdleness()
    }
    switch report {
    case .wouldResume(let data): change(key) { ($0.resume, $0.boot) = (data, Boot.current) }
    case .responded(let response):
      responses[key] = response
      send(.response(key, response))
    case .challenged(let challenge): challenged(challenge, of: key, by: transfer)
    case .counted(let counts):
      journal.tasks[key]?.counts = counts
      rules[key]?.progressed()
      send(.progress(key, counts))
    case .ended(let error, let file, let resume, let url, let counts):
      (transfers[key], challenges[key]) = (nil, nil)
      journal.tasks[key]?.counts = counts
      if let error {
        if goesOn(task, after: error, resume, wasResuming: transfer.isResuming) { return }
        for part in [resume, task.resume] { removePart(part) }
      }
      end(journal.tasks[key] ?? task, file: file, url: url, error)
    }
  }

  /// Whether there is another attempt.
  private func goesOn(_ task: TransferRecord, after error: URLError, _ resume: Data?, wasResuming: Bool) -> Bool {
    let key = task.key
    if wasResuming, error.code == .cannotOpenFile {
      // The file is not what it was: the download begins anew.
      removePart(task.resume)
      change(key) { $0.resume = nil }
      transfer(key)
      return true
    }
    var rule = rules[key] ?? RetryRule()
    let delay = rule.failed(error.errorCode, now: Date(), deadline: deadline(of: task))
    rules[key] = rule
    guard let delay else { return false }
    AgentLog.note(
      "Task \(task.number) of '\(journal.identifier)' is tried again in \(delay) s after \(error.errorCode).")
    change(key) { ($0.resume, $0.boot) = (resume, Boot.current) }
    wait(key, seconds: delay)
    return true
  }

  private func end(_ task: TransferRecord, file: URL?, url: URL?, _ error: URLError?) {
    let failure = error.map(FailureRecord.init)
    let outcome = TransferOutcome(
      order: nextOrder, file: file?.lastPathComponent, response: responses[task.key], url: url, failure: failure)
    deadlines.removeValue(forKey: task.key)?.cancel()
    change(task.key) { ($0.outcome, $0.resume) = (outcome, nil) }
    // A failure that is told twice does less harm than one that is not told until the disk has room.
    save(needsDisk: failure == nil) { [self] in send(.ended(task.key, outcome, task.counts)) }
  }

  // MARK: Parts

  /// What an earlier attempt or agent has left of a download, where it can be gone on with.
  private func resumption(of task: TransferRecord) -> ResumeRecord? {
    guard let data = task.resume, var record = try? ResumeRecord(data: data) else { return nil }
    var status = stat()
    let path = folder.appendingPathComponent(record.fileName).path
    guard task.boot == Boot.current, lstat(path, &status) == 0, status.st_size > 0 else {
      removePart(task.resume)
      return nil
    }
    record.received = min(Int64(status.st_size), record.total ?? .max)
    return record
  }

  private func removePart(_ resume: Data?) {
    guard let record = resume.flatMap({ try? ResumeRecord(data: $0) }) else { return }
    unlink(folder.appendingPathComponent(record.fileName).path)
  }
}
