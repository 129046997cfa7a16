// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import URLLoading

/// Between the machines of the tasks and the world: facts go in, and what follows from them is done. On the agent's queue.
extension AgentSession {
  /// Hands a fact to the machine of a task and does what follows. `ending` is what a transfer left that has just ended.
  func handle(_ event: AgentTask.Event, of key: UUID, _ ending: AgentTransfer.Ending? = nil) {
    let around = AgentTask.Surroundings(
      isAttended: channel != nil, lacksCredentials: journal.settings.lacksCredentials == true, now: Date())
    for action in tasks[key]?.task.handle(event, around) ?? [] { perform(action, of: key, ending) }
  }

  private func perform(_ action: AgentTask.Action, of key: UUID, _ ending: AgentTransfer.Ending?) {
    guard let entry = tasks[key] else { return }
    let task = entry.task.record
    switch action {
    case .save: save()
    case .wait(let date): tasks[key]?.alarm = Alarm(on: agent.queue, at: date, timeCame(key))
    case .pause(let seconds):
      TaskMark.sent.remove(from: key, in: folder)
      note(task, isTriedAgainIn: seconds, after: ending?.error)
      keepPart(key, ending?.resume)
      tasks[key]?.alarm = Alarm(on: agent.queue, after: seconds, timeCame(key))
    case .ask: send(.willBegin(key))
    case .load: load(task)
    case .dropPart:
      removePart(task.resume)
      change(key) { $0.resume = nil }
    case .suspendLoad: entry.transfer?.suspend()
    case .resumeLoad: entry.transfer?.resume()
    case .stopLoad: entry.transfer?.stop()
    case .repeatResponse: if let response = entry.task.response { send(.response(key, response)) }
    case .put(let challenge): send(.challenge(key, challenge))
    case .answer(let challenge, let reply): answer(challenge, reply, of: key)
    case .handOver:
      TaskMark.sent.remove(from: key, in: folder)
      handOver(key, rest(of: task, ending))
    case .handOverNothing: send(.stopped(key, nil))
    case .end:
      if ending?.error != nil, fileName(task.resume) != fileName(ending?.resume) { removePart(task.resume) }
      end(key, ending, ending?.error, resume: ending?.resume)
    case .expire:
      let error = LoadError.error(.timedOut, url: task.request.url, description: "The time for the task is over.")
      end(key, ending, error, resume: rest(of: task, ending))
    case .endUnanswered:
      let error = LoadError.error(
        .backgroundSessionWasDisconnected, url: task.request.url,
        description: "The request was sent, and its answer lost with the transfer agent: it is not sent again.")
      end(key, nil, error, resume: nil)
    case .refuse: refuse(task, resume: ending?.resume ?? task.resume)
    }
  }

  private func timeCame(_ key: UUID) -> @Sendable () -> Void {
    { [weak self] in self?.handle(.timeCame, of: key) }
  }

  private func note(_ task: TransferRecord, isTriedAgainIn seconds: Double, after error: URLError?) {
    AgentLog.note(
      "Task \(task.number) of '\(journal.identifier)' is tried again in \(seconds) s after \(error?.errorCode ?? 0).")
  }

  /// Makes an attempt. Where the disk takes no mark, a request that must not be sent again is not sent at all: the next agent
  /// would know nothing of it.
  private func load(_ task: TransferRecord) {
    if !task.request.mayRepeat, let reason = TaskMark.sent.set(on: task.key, in: folder) {
      let error = LoadError.disk(.cannotCreateFile, reason, url: task.request.url)
      let ending = AgentTransfer.Ending(error: error, counts: task.counts, exchanges: [], redirects: 0)
      return handle(.transferEnded(.failure(isOfNetwork: false, isInTime: true)), of: task.key, ending)
    }
    // The mark outlives a loss of power.
    if !task.request.mayRepeat { _ = DiskFile.sync(folder.path) }
    let transfer = AgentTransfer(
      task, resuming: resumption(of: task), in: context, folder: folder, isAttended: isAttended, queue: agent.queue
    ) { [weak self] transfer, report in self?.take(report, of: task.key, transfer) }
    tasks[task.key]?.transfer = transfer
    transfer.start()
  }

  /// Returns the data to continue a download with: what the transfer that has just ended left, or an earlier one.
  private func rest(of task: TransferRecord, _ ending: AgentTransfer.Ending?) -> Data? {
    if let ending { ending.resume } else { resumption(of: task)?.data }
  }

  private func handOver(_ key: UUID, _ resume: Data?) {
    change(key) { ($0.resume, $0.boot) = (resume, Boot.current) }
    send(.stopped(key, resume))
  }

  private func end(_ key: UUID, _ ending: AgentTransfer.Ending?, _ error: URLError?, resume: Data?) {
    guard let task = tasks[key]?.task else { return }
    var failure = error.map(FailureRecord.init)
    failure?.resume = resume
    var outcome = TransferOutcome(
      order: nextOrder, file: error == nil ? ending?.file?.lastPathComponent : nil, response: task.response,
      url: ending?.url, failure: failure)
    (outcome.exchanges, outcome.redirects) = (task.exchanges?.sent, task.exchanges?.redirects)
    tasks[key]?.hasEnded()
    change(key) { ($0.outcome, $0.resume) = (outcome, nil) }
    // A failure that is reported twice does less harm than one that is not reported until the disk has room.
    save(needsDisk: failure == nil) { [self] in
      send(.ended(key, outcome, task.record.counts))
      considerLaunch()
    }
  }
}

// MARK: - What a transfer reports

extension AgentSession {
  private func take(_ report: AgentTransfer.Report, of key: UUID, _ transfer: AgentTransfer) {
    guard let entry = tasks[key], entry.transfer === transfer else {
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
      tasks[key]?.task.response = response
      send(.response(key, response))
    case .challenged(let challenge): challenged(challenge, of: key, by: transfer)
    case .counted(let counts):
      tasks[key]?.task.count(counts)
      send(.progress(key, counts))
      syncLater(key)
    case .resumed(let offset, let expected):
      guard entry.task.record.tellsResumption == true else { return }
      change(key) { $0.tellsResumption = nil }
      send(.resumed(key, offset: offset, expected: expected))
    case .ended(let ending):
      tasks[key]?.transferEnded(ending)
      handle(.transferEnded(ending.end(ofResumption: transfer.isResuming, secondsLeft(to: entry) > 0)), of: key, ending)
    }
  }
}

extension AgentTransfer.Ending {
  fileprivate func end(ofResumption isResuming: Bool, _ isInTime: Bool) -> AgentTask.TransferEnd {
    guard let error else { return .success }
    // The file is not what it was.
    if isResuming, error.code == .cannotOpenFile { return .lostPart }
    return .failure(isOfNetwork: isOfNetwork, isInTime: isInTime)
  }
}
