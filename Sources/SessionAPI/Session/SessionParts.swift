// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import Recorder
import Timeline
import URLLoading

/// The parts of a session.
struct SessionParts {
  /// Where callbacks run.
  let queue: OperationQueue
  let mailbox: CallbackMailbox
  /// True if the queue runs one operation at a time.
  let isSerial: Bool
  /// The session's own copy.
  let configuration: URLSessionConfiguration
  let isShared: Bool
  /// Where downloads are written; nil for `PrivateFolder`.
  let directory: URL?
  let changing: Locked<Changing>
  /// The way to the agent, of a background session.
  let agent: AgentConnection?

  /// Its number on the timeline.
  var subject: UInt64 { mailbox.subject }

  /// The parts of it that change.
  struct Changing {
    var registry = SessionRegistry()
    /// The context that loads share, above all their connections, which close when it goes; nil once the session is invalid.
    var context: LoadContext?
    var roles: DelegateRoles
    var sessionDescription: String?

    /// The number of a new task and what its load needs; nil when the session takes no more.
    mutating func reserve(again number: Int? = nil) -> (Int, LoadContext)? {
      guard let context, let identifier = number.map({ registry.reserve(again: $0) }) ?? registry.reserve() else {
        return nil
      }
      return (identifier, context)
    }
  }

  init(
    _ configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)? = nil,
    queue: OperationQueue? = nil, isShared: Bool = false, directory: URL? = nil
  ) {
    ProgramRecording.beginOnce()
    let queue = queue ?? DelegateQueue()
    self.queue = queue
    self.isShared = isShared
    self.directory = directory
    self.configuration = URLSessionConfiguration(configuration.loadConfiguration)
    var values = self.configuration.loadConfiguration
    values.asksRegisteredProtocols = isShared
    values.showsBodiesAsStreams = true
    agent = configuration.identifier.map { AgentConnection($0, values) }
    isSerial = queue.maxConcurrentOperationCount == 1
    mailbox = Self.makeMailbox(on: queue)
    changing = Locked(Changing(context: LoadContext(values), roles: .of(delegate)))
  }
}

extension SessionParts {
  /// A mailbox whose callbacks run on the delegate queue: in a line with the program's blocks unless the session made the queue.
  fileprivate static func makeMailbox(on queue: OperationQueue) -> CallbackMailbox {
    let destination = OperationQueueDestination(
      queue, isShared: !(queue is DelegateQueue), whenQuiet: LoadThread.whenIdle)
    return CallbackMailbox(subject: Timeline.nextSubject(), destination: destination)
  }
}

extension URLSession {
  /// The sessions that have not become invalid: their tasks and delegates rely on them. A leak check
  /// reaches each from here, and reports none of them.
  static let living = Locked<[ObjectIdentifier: URLSession]>([:])

  /// The session of tasks that were made without one.
  static let ofInertTasks = URLSession(parts: SessionParts(URLSessionConfiguration(LoadConfiguration())))

  var changing: Locked<SessionParts.Changing> { parts.changing }

  var isShared: Bool { parts.isShared }

  /// Where a download that begins now is written. May block.
  var directory: URL { parts.directory ?? PrivateFolder.url }

  var roles: DelegateRoles { changing.withLock { $0.roles } }

  /// Every task there is, suspended ones as well, that has not completed yet; in the order of their making.
  var unfinishedTasks: [URLSessionTask] {
    changing.withLock { $0.registry.all }.filter { $0.state != .completed }
  }

  /// A task's callbacks share the session's mailbox where only one can run at a time anyway.
  func makeMailbox() -> CallbackMailbox {
    parts.isSerial ? parts.mailbox : SessionParts.makeMailbox(on: parts.queue)
  }

  /// Runs `callback` on the delegate queue.
  func post(_ callback: @escaping @Sendable () -> Void) { parts.mailbox.post(callback) }
}
