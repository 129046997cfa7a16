// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Locking
import URLLoading

/// The tasks of one identifier: kept in its journal, transferred, and reported to its client while there is one.
///
/// A task is in the journal from its start until the client has acknowledged its end. The client's report of an end is
/// sent after it was written, so a kill never takes back a report.
final class AgentSession: @unchecked Sendable {
  // Sendable: everything is touched on the agent's queue alone.

  unowned let agent: Agent
  let folder: URL
  /// The content of the journal besides the tasks, which stand in the table.
  var journal: Journal
  var tasks: [UUID: AgentTaskEntry]
  /// Cancelled transfers that have not ended: they still make and remove files in the folder.
  var cancelled: Set<ObjectIdentifier> = []
  var knownContext: LoadContext?
  /// The client's answers to challenges, by what they are good for.
  var credentials: [String: CredentialRecord] = [:]
  /// True if there is a client to put challenges to; read on the I/O thread.
  let isAttended = Locked(false)
  private(set) var channel: Channel? { didSet { isAttended.withLock { $0 = channel != nil } } }
  private var process: Int32 = 0
  /// A client that waits for the connection of the one before to be read to its end.
  private var successor: (channel: Channel, settings: SessionSettings)?
  /// True if the journal on the disk is an earlier one, and whether writing it waits in the queue.
  private var isDirty = false
  private var isWriteQueued = false
  private var nextAttempt: Alarm?
  /// The start of the program, which waits a moment.
  var pendingLaunch: Alarm?
  private var afterSaving: [(action: () -> Void, needsDisk: Bool)] = []

  /// Seconds until a journal that could not be written is tried again.
  private static let secondsUntilNextSaving = 1.0

  init(_ journal: Journal, in folder: URL, of agent: Agent) {
    (self.journal, self.folder, self.agent) = (journal, folder, agent)
    tasks = journal.tasks.mapValues { AgentTaskEntry(AgentTask($0, isNew: false)) }
    self.journal.tasks = [:]
  }

  /// True if the agent has to stay for it.
  var isBusy: Bool {
    channel != nil || successor != nil || isDirty || !cancelled.isEmpty || pendingLaunch != nil
      || tasks.values.contains { entry in
        entry.transfer != nil || entry.task.wantsToLoad && journal.settings.lacksCredentials != true
      }
  }

  /// True if there is nothing to be kept. A journal that could not be written is none: removing its folder needs no room.
  var isOver: Bool {
    channel == nil && successor == nil && tasks.isEmpty && cancelled.isEmpty && !isWriteQueued
  }

  /// Nothing is written any more: another session may begin in the folder. False where the disk refuses: the journal in it may be
  /// of a time when there were tasks, so that the agent stays, and tries again.
  func removeFolder() -> Bool {
    (nextAttempt, afterSaving) = (nil, [])
    do { try FileManager.default.removeItem(at: folder) } catch  where (error as? CocoaError)?.code != .fileNoSuchFile {
      if !isDirty {
        AgentLog.note("The folder of '\(journal.identifier)' cannot be removed: \(error.localizedDescription)")
      }
      isDirty = true
      nextAttempt = Alarm(on: agent.queue, after: Self.secondsUntilNextSaving) { [weak self] in
        guard let self else { return }
        if isOver { agent.judgeIdleness() } else { save() }
      }
      return false
    } catch {}
    return true
  }

  // MARK: The client

  /// A client says that the session is its own.
  func attach(_ new: Channel, _ settings: SessionSettings) {
    if let channel {
      if UnixSocket.isHungUp(channel.descriptor) {
        // Its last words may not have been read.
        successor?.channel.close()
        successor = (new, settings)
        new.handOver(onMessage: { _ in }, onEnd: { [weak self] _ in self?.successor = nil })
        return
      }
      guard UnixSocket.peer(of: new.descriptor) == process else {
        let reason = "Another process (\(process)) has the background session '\(journal.identifier)'."
        try? new.send(AgentMessage.refused(code: -996, reason))
        return new.close()
      }
      send(.displaced)
      channel.close()
    }
    adopt(new, settings)
  }

  private func adopt(_ new: Channel, _ settings: SessionSettings) {
    channel = new
    process = UnixSocket.peer(of: new.descriptor) ?? 0
    if !settings.loadsLike(journal.settings) { knownContext = nil }
    let isNew = settings != journal.settings
    journal.settings = settings
    if isNew, !tasks.isEmpty { save() }
    new.handOver { [weak self] message in
      self?.receive(message)
    } onEnd: { [weak self] fault in
      self?.left(fault)
    }
    forgetDelivered()
    do throws(TransferFault) {
      try new.send(list: tasks.values.map(\.task.record).sorted { $0.number < $1.number })
    } catch {
      // A client without an answer would wait; this one finds the connection closed.
      new.close()
      return left(error)
    }
    for key in tasks.keys { handle(.clientCame, of: key) }
  }

  private func left(_ fault: TransferFault?) {
    if let fault { AgentLog.note("The client of '\(journal.identifier)' was left: \(fault)") }
    channel = nil
    for key in tasks.keys { handle(.clientLeft, of: key) }
    if let (next, settings) = successor.take() { adopt(next, settings) }
    considerLaunch()
    agent.judgeIdleness()
  }

  func send(_ message: AgentMessage) {
    do throws(TransferFault) { try channel?.send(message) } catch { AgentLog.note("\(error)") }
  }

  private func receive(_ data: Data) {
    do throws(TransferFault) {
      switch try Talk.decode(ClientMessage.self, from: data) {
      case .hello: throw TransferFault("A connection named its session twice.")
      case .start(let task): start(task)
      case .suspend(let key): handle(.suspended, of: key)
      case .resume(let key): handle(.resumed, of: key)
      case .cancel(let key): forget(key, keepsPart: tasks[key]?.task.phase == .handedOver)
      case .acknowledge(let key): forget(key, keepsPart: true)
      case .stop(let key) where tasks[key] == nil: send(.stopped(key, nil))
      case .stop(let key): handle(.stopped, of: key)
      case .describe(let key, let text):
        change(key) { $0.description = text }
      case .begin(let key, let request): handle(.allowed(request), of: key)
      case .answer(let key, let challenge, let reply): handle(.answered(challenge, reply), of: key)
      }
    } catch {
      AgentLog.note("The client of '\(journal.identifier)' was left: \(error)")
      channel?.close()
      left(nil)
    }
  }

  // MARK: The journal

  /// Changes a task and the journal.
  func change(_ key: UUID, _ change: (inout TransferRecord) -> Void) {
    guard var task = tasks[key]?.task.record else { return }
    change(&task)
    tasks[key]?.task.record = task
    save()
  }

  /// Writes the journal when the queue has done what waits there, so that many changes cost one visit to the disk. Then
  /// calls `action`: where the disk takes nothing not before it does, unless the action does not need it.
  func save(needsDisk: Bool = true, then action: (() -> Void)? = nil) {
    if let action { afterSaving.append((action, needsDisk)) }
    isDirty = true
    guard !isWriteQueued else { return }
    isWriteQueued = true
    agent.queue.async { [self] in write() }
  }

  private func write() {
    agent.endWithoutFolder()
    isWriteQueued = false
    nextAttempt = nil
    var ready = afterSaving
    afterSaving = []
    let unwritten = tasks.filter(\.value.task.isUnwritten).keys
    var isWritten = true
    do throws(TransferFault) {
      try Places.makePrivate(folder.path)
      var whole = journal
      whole.tasks = tasks.mapValues(\.task.record)
      // New tasks leave room for what the ends of the known ones add.
      try whole.withoutCredentials.save(in: folder, limit: unwritten.isEmpty ? Journal.limit : Journal.limit / 2)
      isDirty = false
    } catch {
      AgentLog.note("\(error)")
      isWritten = false
      afterSaving = ready.filter(\.needsDisk)
      ready.removeAll(where: \.needsDisk)
      nextAttempt = Alarm(on: agent.queue, after: Self.secondsUntilNextSaving) { [weak self] in self?.write() }
    }
    // The client hears that a task is noted before its request is sent.
    for (action, _) in ready { action() }
    for key in unwritten { handle(isWritten ? .written : .notWritten, of: key) }
    agent.judgeIdleness()
  }
}
