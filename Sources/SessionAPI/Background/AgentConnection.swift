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

  let identifier: String
  let places = Places()
  let queue = DispatchQueue(label: "URLSession background")
  let values: LoadConfiguration
  weak var session: URLSession?
  private var phase = Phase.apart
  private var channel: Channel?
  /// Tasks that have started and whose end was not delivered yet.
  var tasks: [UUID: URLSessionTask] = [:]
  /// Those of them that must be submitted when the agent does not know them.
  var records: [UUID: TransferRecord] = [:]
  /// Those of them whose end is being delivered.
  var ended: Set<UUID> = []
  /// Tasks that the agent shall forget and has not said to have forgotten.
  var toForget: Set<UUID> = []
  /// Tasks that were cancelled and whose resume data the agent is asked for.
  var stopping: Set<UUID> = []
  /// Threads that wait until the agent's journal has their task.
  private var noting: [UUID: DispatchSemaphore] = [:]
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
      for key in noting.keys { noted(key) }
      (tasks, records) = ([:], [:])
      closeWhenDone()
    }
  }

  /// The connection of an invalid session goes when the agent has forgotten what it shall.
  func closeWhenDone() {
    guard isClosing else { return }
    if case .greeting = phase { return }
    if case .together = phase, !toForget.isEmpty { return }
    // The next connection is due, and brings what the agent shall forget.
    if case .apart = phase, failures > 0, !toForget.isEmpty { return }
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
      if submits(task, remote.key) { noting[remote.key] = isNoted } else { isNoted.signal() }
    }
    guard !remote.isRestored else { return }
    _ = isNoted.wait(timeout: .now() + Self.secondsToNote)
  }

  /// The task is in the agent's journal, or never will be.
  func noted(_ key: UUID) { noting.removeValue(forKey: key)?.signal() }

  /// Takes a task in that starts; false where there is nothing to wait for.
  private func submits(_ task: URLSessionTask, _ key: UUID) -> Bool {
    guard tasks[key] == nil, !toForget.contains(key) else { return false }
    if case .closed = phase { return false }
    if case .refused(let error) = phase {
      task.fail(error)
      return false
    }
    do throws(URLError) {
      let record = try BackgroundRules.record(of: task, key, values)
      (tasks[key], records[key]) = (task, record)
      switch phase {
      case .apart: connect()
      case .together: submit(record)
      // The agent's list is on its way, and `welcomed` submits what is not in it.
      case .greeting, .refused, .closed: break
      }
      return tasks[key] != nil
    } catch {
      task.fail(error)
      return false
    }
  }

  func setSuspended(_ key: UUID, _ isSuspended: Bool) {
    queue.async { [self] in
      records[key]?.isSuspended = isSuspended
      say(isSuspended ? .suspend(key) : .resume(key))
    }
  }

  func describe(_ key: UUID, _ text: String?) {
    queue.async { [self] in
      // One that is longer stays in this process.
      guard tasks[key] != nil, text?.utf8.count ?? 0 <= BackgroundRules.descriptionLimit else { return }
      records[key]?.description = text
      say(.describe(key, text))
    }
  }

  /// The task was cancelled.
  func cancel(_ key: UUID) {
    queue.async { [self] in forget(key) }
  }

  /// The task was cancelled, and its resume data is wanted.
  func stop(_ task: URLSessionTask, _ key: UUID) {
    queue.async { [self] in
      guard tasks[key] != nil else { return task.stopped(nil) }
      stopping.insert(key)
      say(.stop(key))
    }
  }

  /// The end of the task was delivered. The agent has the acknowledgement when this returns, so that a program which then
  /// ends does not get it again.
  func delivered(_ key: UUID, of session: URLSession) {
    queue.sync { forget(key) }
    if waiting.withLock({ $0.remove(key) != nil && $0.isEmpty }) { session.finishEvents() }
  }

  func forget(_ key: UUID) {
    noted(key)
    guard tasks.removeValue(forKey: key) != nil else { return }
    records[key] = nil
    toForget.insert(key)
    say(ended.remove(key) == nil ? .cancel(key) : .acknowledge(key))
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
    guard !tasks.isEmpty || !toForget.isEmpty || onFirstGreeting != nil else { return closeWhenDone() }
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
    (toForget, stopping) = ([], [])
    closeWhenDone()
    let given = tasks.filter { !ended.contains($0.key) }
    for key in given.keys { (tasks[key], records[key]) = (nil, nil) }
    for key in noting.keys { noted(key) }
    for task in given.values { task.fail(error) }
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
