// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Dispatch
import Foundation
import Glibc
import URLLoading

/// The course of a task: waits for its time, is transferred as often as it takes, has ended, is forgotten.
extension AgentSession {
  /// Continues what an earlier agent has left.
  func takeUp() {
    removeStrayFiles()
    for (key, task) in journal.tasks {
      // A client learns how much there is before the server has answered.
      if task.outcome == nil, let part = resumption(of: task) { journal.tasks[key]?.counts.received = part.received }
      watchDeadline(key)
      transfer(key)
    }
    considerLaunch()
  }

  /// Files that no task knows of: their agent was killed before it could write down what they were.
  private func removeStrayFiles() {
    let known = journal.tasks.values.flatMap { task in
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
    guard journal.tasks[task.key] == nil else { return complete(task.key, with: task.request) }
    let key = task.key
    var task = task
    // The client's resume data is believed as far as it is valid; its file is looked at when it is opened.
    let record = task.resume.flatMap { try? ResumeRecord(data: $0) }
    (task.resume, task.boot, task.outcome) = (record.flatMap { _ in task.resume }, Boot.current, nil)
    task.tellsResumption = record == nil ? nil : true
    (task.lacksCredentials, task.synced) = (nil, nil)
    journal.tasks[task.key] = task
    unwritten.insert(task.key)
    save { [self] in send(.noted(key)) }
    watchDeadline(task.key)
    transfer(task.key)
  }

  /// Ends what is under way for a task.
  func drop(_ key: UUID) {
    for item in [beginnings.removeValue(forKey: key), deadlines.removeValue(forKey: key)] { item?.cancel() }
    (rules[key], responses[key], exchanges[key]) = (nil, nil, nil)
    stopping.remove(key)
    expired.remove(key)
    refusals.remove(key)
    asked.remove(key)
    challenges[key] = nil
    guard let transfer = transfers.removeValue(forKey: key) else { return }
    cancelled.insert(ObjectIdentifier(transfer))
    transfer.cancel()
  }

  var nextOrder: Int {
    // A journal may say any number.
    let last = max(journal.launched ?? 0, journal.tasks.values.compactMap { $0.outcome?.order }.max() ?? 0)
    return last < .max ? last + 1 : last
  }

  func setSuspended(_ key: UUID, _ isSuspended: Bool) {
    guard let task = journal.tasks[key], task.isSuspended != isSuspended else { return }
    change(key) { $0.isSuspended = isSuspended }
    guard let running = transfers[key] else { return transfer(key) }
    if isSuspended { running.suspend() } else { running.resume() }
  }

  /// The task's end was delivered, or it was cancelled. `keepsPart`: what is left of a download is the client's, which has
  /// taken it, and may have brought it back for another task by now. Should it lie here all the same, it is a stray file.
  func forget(_ key: UUID, keepsPart: Bool) {
    handedOver.remove(key)
    epochs[key] = nil
    let task = journal.tasks.removeValue(forKey: key)
    drop(key)
    if let file = task?.outcome?.file.flatMap({ DiskFile.place(of: $0, in: folder) }) { unsafe unlink(file.path) }
    for part in [task?.resume, task?.outcome?.failure?.resume] where !keepsPart { removePart(part) }
    save { [self] in send(.forgotten(key)) }
  }

  // MARK: The beginning

  /// Begins, unless it is too early, or already begun, or suspended.
  func transfer(_ key: UUID) {
    guard let task = journal.tasks[key], task.outcome == nil, !task.isSuspended, transfers[key] == nil,
      beginnings[key] == nil, !asked.contains(key), !lacksCredentials(task)
    else { return }
    if let date = task.earliestBegin {
      if date.timeIntervalSinceNow > 0 { return wait(key, until: date) }
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
    guard asked.remove(key) != nil else {
      guard let task = journal.tasks[key], task.lacksCredentials == true else { return }
      // Credentials that the request still lacks are asked for by a challenge.
      change(key) { $0.needsClient = true }
      return complete(key, with: request ?? task.request)
    }
    change(key) { task in
      if let request { task.request = request }
      task.earliestBegin = nil
    }
    transfer(key)
  }

  /// A client gives the request of a task again, with its credentials.
  private func complete(_ key: UUID, with request: RequestRecord) {
    guard journal.tasks[key]?.lacksCredentials == true else { return }
    change(key) { ($0.request, $0.lacksCredentials) = (request, nil) }
    transfer(key)
  }

  /// A date is one of the clock on the wall.
  private func wait(_ key: UUID, until date: Date) {
    let seconds = min(max(date.timeIntervalSinceNow, 0), 1e9)
    agent.queue.asyncAfter(wallDeadline: .now() + seconds, execute: beginning(of: key))
  }

  /// A pause takes as long whatever clock is set meanwhile.
  private func pause(_ key: UUID, seconds: Double) {
    agent.queue.asyncAfter(deadline: .now() + seconds, execute: beginning(of: key))
  }

  private func beginning(of key: UUID) -> DispatchWorkItem {
    let item = DispatchWorkItem { [weak self] in
      self?.beginnings[key] = nil
      self?.transfer(key)
    }
    beginnings[key] = item
    return item
  }

  private func watchDeadline(_ key: UUID) {
    guard let task = journal.tasks[key], task.outcome == nil else { return }
    let seconds = secondsLeft(to: task)
    guard seconds < 1e9 else { return }
    let item = DispatchWorkItem { [weak self] in self?.timeOut(key) }
    deadlines[key] = item
    agent.queue.asyncAfter(deadline: .now() + max(seconds, 0), execute: item)
  }

  /// Seconds until the time of a task is over. The clock on the wall says how old it was when this process first saw it; from
  /// then on the time that has passed counts, whatever clock is set meanwhile.
  private func secondsLeft(to task: TransferRecord) -> Double {
    let now = ContinuousClock.now
    let age = max(0, -task.created.timeIntervalSinceNow)
    let begun = epochs[task.key] ?? now - .seconds(min(age, 1e9))
    epochs[task.key] = begun
    return journal.settings.wire.totalTimeout - (now - begun) / .seconds(1)
  }

  private func timeOut(_ key: UUID) {
    guard let task = journal.tasks[key], task.outcome == nil else { return }
    // The configuration may have been given more time.
    guard secondsLeft(to: task) < 1 else { return watchDeadline(key) }
    beginnings.removeValue(forKey: key)?.cancel()
    if let transfer = transfers[key] {
      expired.insert(key)
      return transfer.stop()
    }
    end(task, file: nil, url: nil, Self.tooLate(task), resume: resumption(of: task)?.data)
  }

  private static func tooLate(_ task: TransferRecord) -> URLError {
    LoadError.error(.timedOut, url: task.request.url, description: "The time for the task is over.")
  }

  // MARK: What a transfer reports

  private func take(_ report: AgentTransfer.Report, of key: UUID, _ transfer: AgentTransfer) {
    guard transfers[key] === transfer, let task = journal.tasks[key] else {
      // Forgotten meanwhile.
      if case .ended(let ending) = report {
        cancelled.remove(ObjectIdentifier(transfer))
        if let file = ending.file { unsafe unlink(file.path) }
        removePart(ending.resume)
      }
      return agent.judgeIdleness()
    }
    switch report {
    case .wouldResume(let data): keepPart(key, data)
    case .responded(let response):
      responses[key] = response
      send(.response(key, response))
    case .challenged(let challenge): challenged(challenge, of: key, by: transfer)
    case .counted(let counts):
      journal.tasks[key]?.counts = counts
      rules[key]?.received(counts.received)
      send(.progress(key, counts))
      syncLater(key)
    case .resumed(let offset, let expected):
      guard task.tellsResumption == true else { return }
      change(key) { $0.tellsResumption = nil }
      send(.resumed(key, offset: offset, expected: expected))
    case .ended(let ending): ended(task, ending, of: transfer)
    }
  }

  private func ended(_ task: TransferRecord, _ ending: AgentTransfer.Ending, of transfer: AgentTransfer) {
    let key = task.key
    (transfers[key], challenges[key]) = (nil, nil)
    journal.tasks[key]?.counts = ending.counts
    note(ending, of: key)
    if refusals.remove(key) != nil, ending.error != nil { return refuse(task, resume: ending.resume ?? task.resume) }
    if ending.error != nil, stopping.contains(key) { return stopped(key, ending.resume) }
    if ending.error != nil, expired.remove(key) != nil {
      return end(task, file: nil, url: ending.url, Self.tooLate(task), resume: ending.resume)
    }
    if let error = ending.error, retries(task, after: error, ending, wasResuming: transfer.isResuming) { return }
    if ending.error != nil, fileName(task.resume) != fileName(ending.resume) { removePart(task.resume) }
    end(journal.tasks[key] ?? task, file: ending.file, url: ending.url, ending.error, resume: ending.resume)
  }

  /// The requests of an attempt, of which the last ones are kept.
  private func note(_ ending: AgentTransfer.Ending, of key: UUID) {
    var (sent, redirects) = exchanges[key] ?? ([], 0)
    sent = (sent + ending.exchanges).suffix(Self.exchangesLimit)
    // A server may send heads of any length; the message of an end has a limit.
    while sent.reduce(0, { $0 + $1.count }) > Self.exchangesSize { sent.removeFirst() }
    redirects += ending.redirects
    exchanges[key] = (sent, redirects)
  }

  private static let exchangesLimit = 32
  private static let exchangesSize = 1024 * 1024

  /// Whether there is another attempt.
  private func retries(
    _ task: TransferRecord, after error: URLError, _ ending: AgentTransfer.Ending, wasResuming: Bool
  ) -> Bool {
    let key = task.key
    if wasResuming, error.code == .cannotOpenFile {
      // The file is not what it was: the download begins anew.
      removePart(task.resume)
      change(key) { $0.resume = nil }
      transfer(key)
      return true
    }
    var rule = rules[key] ?? RetryRule()
    let received = journal.tasks[key]?.counts.received ?? 0
    let delay = rule.failed(
      isOfNetwork: ending.isOfNetwork, received: received, now: Date(), isInTime: secondsLeft(to: task) > 0)
    rules[key] = rule
    guard let delay else { return false }
    AgentLog.note(
      "Task \(task.number) of '\(journal.identifier)' is tried again in \(delay) s after \(error.errorCode).")
    keepPart(key, ending.resume)
    pause(key, seconds: delay)
    return true
  }

  private func end(_ task: TransferRecord, file: URL?, url: URL?, _ error: URLError?, resume: Data? = nil) {
    var failure = error.map(FailureRecord.init)
    failure?.resume = resume
    var outcome = TransferOutcome(
      order: nextOrder, file: file?.lastPathComponent, response: responses[task.key], url: url, failure: failure)
    (outcome.exchanges, outcome.redirects) = (exchanges[task.key]?.sent, exchanges[task.key]?.redirects)
    exchanges[task.key] = nil
    deadlines.removeValue(forKey: task.key)?.cancel()
    change(task.key) { ($0.outcome, $0.resume) = (outcome, nil) }
    // A failure that is reported twice does less harm than one that is not reported until the disk has room.
    save(needsDisk: failure == nil) { [self] in
      send(.ended(task.key, outcome, task.counts))
      considerLaunch()
    }
  }
}
