// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Delivery
import Foundation
import Locking
import Timeline
import URLLoading

/// The agent's messages about tasks. On the connection's queue.
extension AgentConnection {
  /// Both sides know what the agent has: what is missing on either side is made good.
  func welcomed(_ known: [TransferRecord], isFirst: Bool) {
    let keys = Set(known.map(\.key))
    for key in keys { noted(key) }
    toForget.formIntersection(keys)
    for key in toForget { say(.acknowledge(key)) }
    for record in records.values.sorted(by: { $0.number < $1.number }) where !keys.contains(record.key) {
      if stopping.contains(record.key) { stopped(record.key, nil) } else { submit(record) }
    }
    let others = known.filter { !toForget.contains($0.key) }
    if isFirst {
      let waiting = Set(others.filter { $0.outcome != nil }.map(\.key))
      self.waiting.withLock { $0 = waiting }
    }
    for record in others {
      if tasks[record.key] == nil { restore(record) } else { settle(record) }
    }
    for record in others.sorted(by: { ($0.outcome?.order ?? 0) < ($1.outcome?.order ?? 0) }) {
      guard let outcome = record.outcome else { continue }
      end(record.key, outcome, record.counts)
    }
  }

  /// Repeats the program's last `suspend()` or `resume()` to an agent that was not connected then.
  private func settle(_ record: TransferRecord) {
    guard !stopping.contains(record.key) else { return say(.stop(record.key)) }
    if record.lacksCredentials == true, record.outcome == nil { giveCredentials(record.key) }
    guard let wanted = records[record.key]?.isSuspended, wanted != record.isSuspended else { return }
    say(wanted ? .suspend(record.key) : .resume(record.key))
  }

  /// The agent has read the task from its journal, which has no credentials. Without a request that has them the delegate may
  /// give one.
  private func giveCredentials(_ key: UUID) {
    guard let record = records[key], record.lacksCredentials != true else { return willBegin(key) }
    say(.start(record))
  }

  /// Makes the task of an earlier process again.
  private func restore(_ record: TransferRecord) {
    guard let task = session?.restore(record) else { return }
    (tasks[record.key], records[record.key]) = (task, record)
    task.resume()
    if record.isSuspended { task.suspend() }
    if record.lacksCredentials == true, record.outcome == nil { giveCredentials(record.key) }
  }

  func receive(_ message: AgentMessage) {
    switch message {
    case .progress(let key, let counts): tasks[key]?.take(counts)
    case .response(let key, let response): tasks[key]?.take(response)
    case .willBegin(let key): willBegin(key)
    case .challenge(let key, let record): challenged(key, record)
    case .ended(let key, let outcome, let counts): end(key, outcome, counts)
    case .stopped(let key, let data): stopped(key, data)
    case .resumed(let key, let offset, let expected):
      if let task = tasks[key], let load = task.load {
        task.client?.load(load, didResumeAt: offset, expected: expected)
      }
    case .noted(let key): noted(key)
    case .forgotten(let key):
      toForget.remove(key)
      closeWhenDone()
    case .known, .welcome, .refused, .displaced: break
    }
  }

  private func end(_ key: UUID, _ outcome: TransferOutcome, _ counts: TransferCounts) {
    guard let task = tasks[key], ended.insert(key).inserted else { return }
    task.take(outcome, counts, in: folder, takePart(outcome.failure?.resume))
  }

  /// Submits a task, and with it the part of an earlier download that it continues. Not before the agent has sent its
  /// list: it removes files that no task knows of.
  func submit(_ record: TransferRecord) {
    var record = record
    if let task = tasks[record.key], let part = task.remote?.takePart() {
      guard let session, let moved = part.moved(from: session.directory, to: folder) else {
        (tasks[record.key], records[record.key]) = (nil, nil)
        noted(record.key)
        return task.fail(
          LoadError.error(
            .cannotOpenFile, url: record.request.url,
            description: "The download cannot be resumed. Its file is not there, or is not the one that it wrote."))
      }
      record.resume = moved.data
      records[record.key] = record
    }
    say(.start(record))
  }

  /// The agent has stopped a task, whose part is taken out of its folder.
  private func stopped(_ key: UUID, _ data: Data?) {
    guard stopping.remove(key) != nil, let task = tasks[key], !ended.contains(key) else { return }
    // A part that was never handed over is still the task's.
    let part = takePart(data) ?? task.remote?.takePart().map { PartialDownload($0) }
    forget(key)
    task.stopped(part)
  }

  /// Moves the part that resume data describes to where the program's own downloads lie.
  private func takePart(_ data: Data?) -> PartialDownload? {
    guard let data, let session, let record = try? ResumeRecord(data: data) else { return nil }
    return record.moved(from: folder, to: session.directory).map { PartialDownload($0) }
  }

  private func willBegin(_ key: UUID) {
    guard let task = tasks[key] else { return say(.cancel(key)) }
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
        if records[key]?.lacksCredentials == true { next = next ?? task.originalRequest }
        let record = try next.map { request throws(URLError) in
          try BackgroundRules.record(of: request, values)
        }
        if let record {
          try BackgroundRules.check(
            Talk.length(of: ClientMessage.begin(key, record)), BackgroundRules.recordLimit, "The task", url: record.url)
          records[key]?.request = record
          records[key]?.lacksCredentials = nil
        }
        say(.begin(key, record))
      } catch {
        say(.cancel(key))
        task.fail(error)
      }
    }
  }
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
