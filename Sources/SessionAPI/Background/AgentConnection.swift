// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Dispatch
import Foundation
import Locking
import URLLoading

/// Connects one background session to the agent. After each connection both compare what they know (`welcomed`) and repeat what
/// the other lacks, so that the agent may be killed at any time.
///
/// A session whose identifier has left nothing behind opens no connection and starts nothing before its first task does.
final class AgentConnection: @unchecked Sendable {
  // Sendable: the constants never change, everything else is touched on `queue` alone.

  private enum Phase {
    case apart, greeting, together
    /// The agent has refused, or another session has taken over: this is why.
    case refused(URLError)
    case closed
  }

  /// One task: where it stands, and what goes with it.
  struct Entry {
    var machine: RemoteTask
    /// Nil once its end was delivered.
    var task: URLSessionTask?
    /// The record to submit.
    var record: TransferRecord
    /// Signalled when the agent's journal has the task, or never will.
    var isNoted: DispatchSemaphore?
  }

  let identifier: String
  let places = Places()
  let queue = DispatchQueue(label: "URLSession background")
  let values: LoadConfiguration
  weak var session: URLSession?
  private var phase = Phase.apart
  private var channel: Channel?
  /// The tasks that have started, until the agent has forgotten them.
  var entries: [UUID: Entry] = [:]
  /// Ends that waited for this session when it was made, and were not delivered yet.
  let waiting = Locked<Set<UUID>>([])
  /// Connections in a row on which the agent sent its list alone: a task may be what ends it.
  private var failures = 0
  /// True if the session is invalid, and the connection only has to bring what the agent shall forget.
  private var isClosing = false
  /// Keeps the connection of a session that is gone until it is closed.
  private var keeper: AgentConnection?
  private var onFirstGreeting: (() -> Void)?
  /// The part of its list that the agent has sent so far.
  private var known: [TransferRecord] = []

  private static let attempts = 4
  private static let secondsBetween = 0.1
  /// Seconds until the agent has sent the list of its tasks, or the next part of it.
  private static let secondsToBegin = 15.0
  /// Seconds that a start waits for the agent's journal. An agent that takes longer gets the task all the same.
  private static let secondsToNote = 5.0

  init(_ identifier: String, _ values: LoadConfiguration) {
    (self.identifier, self.values) = (identifier, values)
  }

  var folder: URL { places.folder(of: identifier) }

  /// The session is made. Where an earlier process left tasks they are there when this returns: it blocks until the agent
  /// has sent its list, for as long as further parts of it arrive in time.
  func begin(for session: URLSession) {
    queue.sync { self.session = session }
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    let isThere = DispatchSemaphore(value: 0)
    queue.async { [self] in
      onFirstGreeting = { isThere.signal() }
      connect()
    }
    var count = 0
    while isThere.wait(timeout: .now() + Self.secondsToBegin) == .timedOut {
      let now = queue.sync { known.count }
      guard now > count else { return }
      count = now
    }
  }

  /// The session is invalid: nothing of it is left here, and what the agent still has is for a later one.
  func close() {
    queue.async { [self] in
      isClosing = true
      for key in entries.keys { noted(key) }
      entries = entries.filter(\.value.isForgotten)
      closeWhenDone()
    }
  }

  /// The connection of an invalid session goes when the agent has forgotten what it shall.
  func closeWhenDone() {
    guard isClosing else { return }
    if case .greeting = phase { return }
    let isOwed = entries.values.contains(where: \.isForgotten)
    if case .together = phase, isOwed { return }
    // The next connection is due, and brings what the agent shall forget.
    if case .apart = phase, failures > 0, isOwed { return }
    phase = .closed
    channel?.close()
    (channel, keeper) = (nil, nil)
  }

  // MARK: Actions of tasks

  /// Submits a task. A new one is in the agent's journal when this returns, so that a program which is killed from then on
  /// finds it again.
  func start(_ task: URLSessionTask, _ remote: RemoteSide) {
    let isNoted = DispatchSemaphore(value: 0)
    queue.async { [self] in
      if submits(task, remote.key) { entries[remote.key]?.isNoted = isNoted } else { isNoted.signal() }
    }
    guard !remote.isRestored else { return }
    _ = isNoted.wait(timeout: .now() + Self.secondsToNote)
  }

  /// The task is in the agent's journal, or never will be.
  func noted(_ key: UUID) { entries[key]?.isNoted.take()?.signal() }

  /// Takes a task in that starts; false where there is nothing to wait for.
  private func submits(_ task: URLSessionTask, _ key: UUID) -> Bool {
    guard entries[key] == nil else { return false }
    if case .closed = phase { return false }
    if case .refused(let error) = phase {
      task.fail(error)
      return false
    }
    do throws(URLError) {
      let record = try BackgroundRules.record(of: task, key, values)
      let machine = RemoteTask(key, mayRepeat: record.request.mayRepeat, isListed: false)
      entries[key] = Entry(machine: machine, task: task, record: record)
      switch phase {
      case .apart: connect()
      case .together: submit(key)
      // The agent's list is on its way, and `welcomed` submits what is not in it.
      case .greeting, .refused, .closed: break
      }
      return entries[key] != nil
    } catch {
      task.fail(error)
      return false
    }
  }

  func setSuspended(_ key: UUID, _ isSuspended: Bool) {
    queue.async { [self] in
      entries[key]?.record.isSuspended = isSuspended
      say(isSuspended ? .suspend(key) : .resume(key))
    }
  }

  func describe(_ key: UUID, _ text: String?) {
    queue.async { [self] in
      // One that is longer stays in this process.
      guard entries[key]?.task != nil, text?.utf8.count ?? 0 <= BackgroundRules.descriptionLimit else { return }
      entries[key]?.record.description = text
      say(.describe(key, text))
    }
  }

  /// The task was cancelled.
  func cancel(_ key: UUID) {
    queue.async { [self] in handle(.finished, of: key) }
  }

  /// The task was cancelled, and its resume data is wanted.
  func stop(_ task: URLSessionTask, _ key: UUID) {
    queue.async { [self] in
      guard entries[key]?.task != nil else { return task.stopped(nil) }
      handle(.stop, of: key)
    }
  }

  /// The end of the task was delivered. The disk and the agent know it when this returns, so that a program which then ends
  /// does not get it again, whether or not the agent ends with it.
  func delivered(_ key: UUID, of session: URLSession) {
    queue.sync {
      if entries[key]?.machine.phase == .ended { TaskMark.delivered.set(on: key, in: folder) }
      handle(.finished, of: key)
    }
    if waiting.withLock({ $0.remove(key) != nil && $0.isEmpty }) { session.finishEvents() }
  }

  // MARK: The connection

  func say(_ message: ClientMessage) {
    guard case .together = phase else { return }
    // A message too long here is too long for the next connection; tasks, settings and descriptions have limits.
    try? channel?.send(message)
  }

  private func connect() {
    do throws(URLError) {
      let hello = try BackgroundRules.hello(identifier, values)
      do throws(TransferFault) { try connect(with: hello) } catch {
        giveUp(Self.error(.backgroundSessionWasDisconnected, error.description))
      }
    } catch {
      giveUp(error)
    }
  }

  private func connect(with hello: ClientMessage) throws(TransferFault) {
    let descriptor = try reach()
    keeper = self
    let channel = Channel(descriptor, queue: queue)
    (self.channel, phase) = (channel, .greeting)
    channel.open { [weak self, weak channel] message in
      guard let self, let channel, self.channel === channel else { return }
      receive(message)
    } onEnd: { [weak self, weak channel] _ in
      guard let self, let channel, self.channel === channel else { return }
      lost()
    }
    try channel.send(hello)
  }

  /// A connection to the agent, which is started where none listens. One that is killed before it answers is started again:
  /// a session that began without its agent would not know the tasks that there are, and make them twice.
  private func reach() throws(TransferFault) -> Int32 {
    for _ in 1..<Self.attempts {
      if let descriptor = try? places.connect() { return descriptor }
      try AgentStarter.start()
    }
    return try places.connect()
  }

  /// The connection is gone: the agent was killed, or had just decided to end.
  private func lost() {
    channel?.close()
    (channel, phase, known) = (nil, .apart, [])
    failures += 1
    guard !entries.isEmpty || onFirstGreeting != nil else { return closeWhenDone() }
    guard failures < Self.attempts else {
      return giveUp(
        Self.error(
          .backgroundSessionWasDisconnected, "The transfer agent ends whenever it is spoken to; see '\(places.log)'."))
    }
    guard failures > 1 else { return connect() }
    queue.asyncAfter(deadline: .now() + Self.secondsBetween * Double(failures - 1)) { [weak self] in
      guard let self, case .apart = phase else { return }
      connect()
    }
  }

  private func giveUp(_ error: URLError) {
    if case .refused = phase {} else { (phase, failures) = (.apart, 0) }
    channel?.close()
    channel = nil
    for key in entries.keys { handle(.givenUp(error), of: key) }
    closeWhenDone()
    onFirstGreeting.take()?()
  }

  static func error(_ code: URLError.Code, _ description: String) -> URLError {
    LoadError.error(code, url: nil, description: description)
  }

  private func receive(_ data: Data) {
    do throws(TransferFault) {
      switch try Talk.decode(AgentMessage.self, from: data) {
      case .known(let some): known += some
      case .welcome(let rest):
        let all = known + rest
        (phase, known) = (.together, [])
        welcomed(all, isFirst: onFirstGreeting != nil)
        closeWhenDone()
        onFirstGreeting.take()?()
      case .refused(let code, let reason): refused(URLError.Code(rawValue: code) ?? .unknown, reason)
      case .displaced:
        let reason = "Another session of this process with the identifier '\(identifier)' has taken over."
        refused(.backgroundSessionWasDisconnected, reason)
      case let message:
        failures = 0
        receive(message)
      }
    } catch {
      lost()
    }
  }

  private func refused(_ code: URLError.Code, _ reason: String) {
    let error = Self.error(code, reason)
    phase = .refused(error)
    giveUp(error)
  }
}
