// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import CLinux
import Dispatch
import Foundation
import Glibc

/// The agent: listens, knows a session for each identifier, and ends when there is nothing to do.
///
/// Everything happens on `queue`, but for the loads, which have the I/O thread, and for what waits for a disk.
final class Agent: @unchecked Sendable {
  // Sendable: everything that changes is touched on `queue` alone.

  let places: Places
  private let lock: AgentLock
  /// Where it listens.
  private var socket: String?
  let queue = DispatchQueue(label: "url-transfer-agent")
  private let idleSeconds: Double
  private var listener: (any DispatchSourceRead)?
  private var isPaused = false
  private var hangUp: (any DispatchSourceSignal)?
  private var sessions: [String: AgentSession] = [:]
  /// Connections that have not said which session they are for.
  private var strangers: [ObjectIdentifier: Channel] = [:]
  private var idle: DispatchWorkItem?
  /// True if the program that has started this agent, or another one, has connected.
  private var isFound = false

  /// Connections without a session at a time, and how long one may stay so.
  private static let strangersLimit = 64
  private static let strangersSeconds = 10.0
  private static let secondsUntilNextAccept = 0.5
  /// How long the first connection is waited for at least: the program that has started the agent may be slow.
  private static let secondsToBeFound = 3.0

  init(_ places: Places, _ lock: AgentLock, idleSeconds: Double) {
    (self.places, self.lock, self.idleSeconds) = (places, lock, idleSeconds)
  }

  /// Listens, and takes up what earlier agents have left.
  func begin() throws(TransferFault) {
    try listen()
    let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
    source.setEventHandler { [weak self] in self?.listenAgain() }
    source.resume()
    hangUp = source
    queue.async { [self] in
      takeUp()
      judgeIdleness()
    }
  }

  private func listen() throws(TransferFault) {
    let (descriptor, path) = try makeListener()
    socket = path
    lock.state(socket: path)
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.accept(on: descriptor) }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    listener = source
  }

  /// Listens where programs look first, or beside the journals, where they look then.
  private func makeListener() throws(TransferFault) -> (Int32, String) {
    func listen(at path: String) throws(TransferFault) -> (Int32, String) {
      try Places.makePrivate((path as NSString).deletingLastPathComponent)
      unsafe unlink(path)
      return (try UnixSocket.listen(at: path), path)
    }
    do throws(TransferFault) { return try listen(at: places.socket) } catch {
      guard places.otherSocket != places.socket else { throw error }
      AgentLog.note("\(error) The agent listens at '\(places.otherSocket)'.")
      return try listen(at: places.otherSocket)
    }
  }

  /// Connections cannot be taken for want of descriptors or memory. They wait in the kernel, where they would wake this
  /// process again and again.
  private func pauseListening(after reason: Int32) {
    guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(reason), let listener else { return }
    AgentLog.note("No connection can be taken: \(unsafe String(cString: strerror(reason))). It is tried again.")
    listener.suspend()
    isPaused = true
    queue.asyncAfter(deadline: .now() + Self.secondsUntilNextAccept) { [weak self] in self?.resumeListening() }
  }

  private func resumeListening() {
    if isPaused { listener?.resume() }
    isPaused = false
  }

  /// The socket's folder may have been emptied under a running agent.
  private func listenAgain() {
    resumeListening()
    listener?.cancel()
    do throws(TransferFault) { try listen() } catch { AgentLog.note("\(error)") }
  }

  private func takeUp() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: places.state.path)) ?? []
    for name in names.sorted() where name.hasPrefix("session-") {
      let folder = places.state.appendingPathComponent(name)
      do throws(TransferFault) {
        guard let journal = try Journal(in: folder, note: AgentLog.note) else { continue }
        guard places.folder(of: journal.identifier).lastPathComponent == name else {
          throw TransferFault("The journal in '\(name)' is of '\(journal.identifier)'.")
        }
        let session = AgentSession(journal, in: folder, of: self)
        sessions[journal.identifier] = session
        session.takeUp(hasJournal: true)
      } catch {
        AgentLog.note("\(name): \(error)")
      }
    }
  }

  // MARK: Clients

  private func accept(on listener: Int32) {
    let descriptor = workbench_accept(listener)
    guard descriptor >= 0 else { return pauseListening(after: errno) }
    guard UnixSocket.peer(of: descriptor) != nil, strangers.count < Self.strangersLimit else {
      AgentLog.note("A connection of another user, or one too many, was refused.")
      close(descriptor)
      return
    }
    isFound = true
    defer { judgeIdleness() }
    let channel = Channel(descriptor, queue: queue, limit: FrameReader.firstLimit)
    let key = ObjectIdentifier(channel)
    strangers[key] = channel
    channel.open { [weak self] message in
      self?.greet(message, from: channel)
    } onEnd: { [weak self] fault in
      if let fault { AgentLog.note("A connection was closed: \(fault)") }
      self?.strangers[key] = nil
      self?.judgeIdleness()
    }
    queue.asyncAfter(deadline: .now() + Self.strangersSeconds) { [weak self, weak channel] in
      guard let self, let channel, strangers[key] === channel else { return }
      AgentLog.note("A connection was closed: it said no session for \(Int(Self.strangersSeconds)) s.")
      strangers[key] = nil
      channel.close()
      judgeIdleness()
    }
  }

  /// The first message of a connection.
  private func greet(_ message: Data, from channel: Channel) {
    strangers[ObjectIdentifier(channel)] = nil
    do throws(TransferFault) {
      guard case .hello(let identifier, let settings) = try Talk.decode(ClientMessage.self, from: message) else {
        throw TransferFault("A connection began with something else than its session.")
      }
      let session = try session(of: identifier, settings)
      channel.trust()
      session.attach(channel, settings)
    } catch {
      AgentLog.note("\(error)")
      try? channel.send(AgentMessage.refused(code: -997, error.description))
      channel.close()
    }
    judgeIdleness()
  }

  private func session(of identifier: String, _ settings: SessionSettings) throws(TransferFault) -> AgentSession {
    if let known = sessions[identifier] { return known }
    let folder = places.folder(of: identifier)
    try Places.makePrivate(folder.path)
    var journal: Journal?
    do throws(TransferFault) {
      journal = try Journal(in: folder, note: AgentLog.note)
    } catch {
      // Set aside, its tasks would be lost.
      if error.isPassing { throw error }
      let place = try Journal.setAside(folder)
      AgentLog.note("The journal of '\(identifier)' begins anew, the old one is in '\(place.path)': \(error)")
      try Places.makePrivate(folder.path)
    }
    if let journal, journal.identifier != identifier {
      throw TransferFault(
        "The folder of '\(identifier)' is used by '\(journal.identifier)': choose another identifier.")
    }
    let session = AgentSession(journal ?? Journal(identifier: identifier, settings: settings), in: folder, of: self)
    sessions[identifier] = session
    session.takeUp(hasJournal: journal != nil)
    return session
  }

  // MARK: The end

  /// Something changed: sessions without a client and a task go, and without any work the agent goes after a while.
  func judgeIdleness() {
    for (identifier, session) in sessions where session.isOver && session.removeFolder() { sessions[identifier] = nil }
    idle?.cancel()
    idle = nil
    guard strangers.isEmpty, !sessions.values.contains(where: \.isBusy) else { return }
    let item = DispatchWorkItem { [weak self] in self?.end() }
    idle = item
    let seconds = isFound ? idleSeconds : max(idleSeconds, Self.secondsToBeFound)
    queue.asyncAfter(deadline: .now() + seconds, execute: item)
  }

  /// Where the folder of state was removed, another agent may have begun in a new one. What this one knows must not come into a
  /// journal there, and goes with it.
  func endWithoutFolder() {
    guard !lock.lies(at: places.lock) else { return }
    AgentLog.note("'\(places.lock)' was removed: this agent ends.")
    exit(0)
  }

  /// A client that connects in this very moment finds the connection closed, and starts another agent.
  private func end() {
    if let socket { unsafe unlink(socket) }
    exit(0)
  }
}
