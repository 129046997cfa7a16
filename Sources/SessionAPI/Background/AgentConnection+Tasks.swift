// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Delivery
import Foundation
import Locking
import Timeline
import URLLoading

/// The agent's messages about tasks. On the connection's queue.
extension AgentConnection {
  /// Hands a fact to the machine of a task and does what follows.
  func handle(_ event: RemoteTask.Event, of key: UUID) {
    guard var entry = entries[key] else { return }
    let actions = entry.machine.handle(event)
    if entry.machine.phase == .gone || entry.isForgotten {
      entry.isNoted.take()?.signal()
      entry.task = nil
    }
    let task = entries[key]?.task
    entries[key] = entry.machine.phase == .gone ? nil : entry
    for action in actions { perform(action, of: key, task) }
  }

  private func perform(_ action: RemoteTask.Action, of key: UUID, _ task: URLSessionTask?) {
    switch action {
    case .submit: submit(key)
    case .settle(let record): settle(record)
    case .say(let message): say(message)
    case .deliver(let outcome, let counts): task?.take(outcome, counts, in: folder, takePart(outcome.failure?.resume))
    // A part that was never handed over is still the task's.
    case .handOver(let data): task?.stopped(takePart(data) ?? task?.remote?.takePart().map { PartialDownload($0) })
    case .fail(let error): task?.fail(error)
    case .failUnknown:
      task?.fail(
        LoadError.error(
          .backgroundSessionWasDisconnected, url: task?.originalRequest?.url,
          description:
            "The transfer agent has lost the task, whose request may have been answered: it is not sent again."))
    }
  }

  /// Both sides know what the agent has: what is missing on either side is made good.
  func welcomed(_ known: [TransferRecord], isFirst: Bool) {
    let listed = Dictionary(known.map { ($0.key, $0) }) { first, _ in first }
    for key in entries.values.sorted(by: { $0.record.number < $1.record.number }).map(\.record.key) {
      if listed[key] != nil { noted(key) }
      handle(.listed(listed[key]), of: key)
    }
    let others = known.filter { entries[$0.key]?.isForgotten != true }
    if isFirst {
      let waiting = Set(others.filter { $0.outcome != nil }.map(\.key))
      self.waiting.withLock { $0 = waiting }
    }
    for record in others where entries[record.key] == nil { restore(record) }
    for record in others.sorted(by: { ($0.outcome?.order ?? 0) < ($1.outcome?.order ?? 0) }) {
      guard let outcome = record.outcome else { continue }
      handle(.ended(outcome, record.counts), of: record.key)
    }
  }

  /// Repeats the program's last `suspend()` or `resume()` to an agent that was not connected then.
  private func settle(_ record: TransferRecord) {
    if record.lacksCredentials == true, record.outcome == nil { giveCredentials(record.key) }
    guard let wanted = entries[record.key]?.record.isSuspended, wanted != record.isSuspended else { return }
    say(wanted ? .suspend(record.key) : .resume(record.key))
  }

  /// The agent has read the task from its journal, which has no credentials. Without a request that has them the delegate may
  /// give one.
  private func giveCredentials(_ key: UUID) {
    guard let record = entries[key]?.record, record.lacksCredentials != true else { return willBegin(key) }
    say(.start(record))
  }

  /// Makes the task of an earlier process again.
  private func restore(_ record: TransferRecord) {
    guard let task = session?.restore(record) else { return }
    let machine = RemoteTask(record.key, mayRepeat: record.request.mayRepeat, isListed: true)
    entries[record.key] = Entry(machine: machine, task: task, record: record)
    task.resume()
    if record.isSuspended { task.suspend() }
    if record.lacksCredentials == true, record.outcome == nil { giveCredentials(record.key) }
  }

  func receive(_ message: AgentMessage) {
    switch message {
    case .progress(let key, let counts): entries[key]?.task?.take(counts)
    case .response(let key, let response): entries[key]?.task?.take(response)
    case .willBegin(let key): willBegin(key)
    case .challenge(let key, let record): challenged(key, record)
    case .ended(let key, let outcome, let counts): handle(.ended(outcome, counts), of: key)
    case .stopped(let key, let data): handle(.stopped(data), of: key)
    case .resumed(let key, let offset, let expected):
      if let task = entries[key]?.task, let load = task.load {
        task.client?.load(load, didResumeAt: offset, expected: expected)
      }
    case .noted(let key):
      noted(key)
      handle(.noted, of: key)
    case .forgotten(let key):
      handle(.forgotten, of: key)
      closeWhenDone()
    case .known, .welcome, .refused, .displaced: break
    }
  }

  /// Submits a task, and with it the part of an earlier download that it continues. Not before the agent has sent its
  /// list: it removes files that no task knows of.
  func submit(_ key: UUID) {
    guard var record = entries[key]?.record else { return }
    if let task = entries[key]?.task, let part = task.remote?.takePart() {
      guard let session, let moved = part.moved(from: session.directory, to: folder) else {
        let error = LoadError.error(
          .cannotOpenFile, url: record.request.url,
          description: "The download cannot be resumed. Its file is not there, or is not the one that it wrote.")
        return handle(.givenUp(error), of: key)
      }
      record.resume = moved.data
      entries[key]?.record = record
    }
    say(.start(record))
  }

  /// Moves the part that resume data describes to where the program's own downloads lie.
  private func takePart(_ data: Data?) -> PartialDownload? {
    guard let data, let session, let record = try? ResumeRecord(data: data) else { return nil }
    return record.moved(from: folder, to: session.directory).map { PartialDownload($0) }
  }

  private func willBegin(_ key: UUID) {
    guard let task = entries[key]?.task else { return say(.cancel(key)) }
    task.mailbox.post { [self] in
      guard let request = task.originalRequest, let delegate = task.receiver(\.task) else {
        return begin(task, key, .continueLoading, nil)
      }
      task.deliver(delayed: request, to: delegate) { self.begin(task, key, $0, $1) }
    }
  }

  private func begin(
    _ task: URLSessionTask, _ key: UUID, _ disposition: URLSession.DelayedRequestDisposition, _ request: URLRequest?
  ) {
    guard disposition != .cancel else { return task.cancel() }
    queue.async { [self] in
      do throws(URLError) {
        var next = disposition == .useNewRequest ? request : nil
        // The session's cookies are at hand, at least.
        if entries[key]?.record.lacksCredentials == true { next = next ?? task.originalRequest }
        let record = try next.map { request throws(URLError) in
          try BackgroundRules.record(of: request, values)
        }
        if let record {
          try BackgroundRules.check(
            Talk.length(of: ClientMessage.begin(key, record)), BackgroundRules.recordLimit, "The task", url: record.url)
          entries[key]?.record.request = record
          entries[key]?.record.lacksCredentials = nil
        }
        say(.begin(key, record))
      } catch {
        say(.cancel(key))
        task.fail(error)
      }
    }
  }
}

extension AgentConnection.Entry {
  /// True if all that is left of it is that the agent shall forget it.
  var isForgotten: Bool { machine.phase == .forgetting }
}

extension URLSession {
  /// Makes the task that an earlier process made; nil when this session takes no more.
  func restore(_ record: TransferRecord) -> URLSessionTask? {
    guard let (number, context) = changing.withLock({ $0.reserve(again: record.number) }) else { return nil }
    var specification = TaskSpecification(request: URLRequest(record.request), receiver: .downloadDelegate)
    specification.restored = record
    if let upload = record.upload {
      (specification.body, specification.receiver) = (.file(URL(fileURLWithPath: upload)), .dataDelegate)
    }
    let task =
      record.upload == nil
      ? URLSessionDownloadTask(specification, identifier: number, session: self, context: context)
      : URLSessionUploadTask(specification, identifier: number, session: self, context: context)
    task.taskDescription = record.description
    (task.priority, task.earliestBeginDate) = (record.priority, record.earliestBegin)
    _ = changing.withLock { $0.registry.insert(task) }
    task.shared.withLock { $0.written.begin(at: record.counts.received) }
    return task
  }

  /// All that had ended before this session was made has been delivered.
  func finishEvents() {
    post { [self] in
      guard let delegate = roles.session else { return }
      DelegateMethod.didFinishEvents.run(on: delegate) {
        Timeline.emit(DelegateMethod.didFinishEvents.event, subject: 0)
      } call: {
        delegate.urlSessionDidFinishEvents(forBackgroundURLSession: self)
      }
    }
  }
}
