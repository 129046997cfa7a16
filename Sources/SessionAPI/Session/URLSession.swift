// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
import Timeline
import URLLoading

/// Makes tasks that share a configuration, a delegate and a pool of connections.
///
/// A session holds its delegate strongly, and itself, until it has been invalidated and its last task has ended: one
/// that is dropped without `finishTasksAndInvalidate()` or `invalidateAndCancel()` stays in memory with its delegate
/// until the process ends, as on Apple. Make few sessions and keep them: each has connections of its own.
///
/// All callbacks are operations on `delegateQueue`. Thread-safe.
///
/// Difference from Apple: also on a queue that runs several operations at a time, the callbacks of one task come one at
/// a time and in order.
open class URLSession: NSObject, @unchecked Sendable {
  // Sendable: what changes lies in `changing`, behind its lock; the rest is constant, and `copied` locks itself.

  /// What a data delegate wants done with a response's body.
  public enum ResponseDisposition: Int, Sendable {
    /// End the task with -999.
    case cancel = 0
    /// Receive the body.
    case allow = 1
    /// Write the body to a file: a download task takes the data task's place.
    case becomeDownload = 2
    /// Read the body at will: a stream task takes the data task's place.
    case becomeStream = 3
  }

  /// The sessions that have not become invalid: their tasks and delegates rely on them. They stand in one place, so that
  /// who looks for leaks sees a session that nobody invalidates as what it is: held.
  static let living = Locked<[ObjectIdentifier: URLSession]>([:])

  struct Changing {
    var registry = SessionRegistry()
    /// What loads share, above all their connections, which close when it goes; nil once the session is invalid.
    var context: LoadContext?
    var roles: DelegateRoles
    var sessionDescription: String?

    /// The number of a new task and what its load needs; nil when the session takes no more.
    mutating func reserve() -> (Int, LoadContext)? {
      guard let context, let identifier = registry.reserve() else { return nil }
      return (identifier, context)
    }
  }

  /// Where callbacks run: the queue given at the making, or a serial one of the session's own.
  ///
  /// A given queue is used as it is; one that is suspended or blocked holds back callbacks, then, after 1 MiB for each
  /// task, the transfers.
  open var delegateQueue: OperationQueue { queue }

  private let queue: OperationQueue
  private let mailbox: CallbackMailbox
  private let isSerial: Bool
  private let copied: URLSessionConfiguration
  let changing: Locked<Changing>
  let isShared: Bool

  /// Where downloads are written.
  let directory: URL

  /// The system's folder for that, looked up once.
  private static let temporaryDirectory = FileManager.default.temporaryDirectory

  private static let sharedSession = URLSession(.default, delegate: nil, queue: nil, isShared: true)

  /// The session for simple requests: default configuration, no delegate. Invalidating it has no effect.
  open class var shared: URLSession { sharedSession }

  /// A session without a delegate, for tasks with completion handlers and for `async` calls.
  ///
  /// - Parameter configuration: Copied.
  public convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration, delegate: nil, queue: nil)
  }

  /// A session with a delegate.
  ///
  /// - Parameters:
  ///   - configuration: Copied.
  ///   - delegate: Held strongly until the session has become invalid.
  ///   - queue: Where callbacks run; nil for a serial queue of the session's own.
  public convenience init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
  ) {
    self.init(configuration, delegate: delegate, queue: queue)
  }

  /// The session that the public ones are; tests choose where downloads are written.
  init(
    _ configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, queue: OperationQueue?,
    isShared: Bool = false, directory: URL = temporaryDirectory
  ) {
    let queue = queue ?? DelegateQueue()
    self.queue = queue
    self.isShared = isShared
    self.directory = directory
    copied = URLSessionConfiguration(configuration.loadConfiguration)
    var values = copied.loadConfiguration
    values.asksRegisteredProtocols = isShared
    isSerial = queue.maxConcurrentOperationCount == 1
    mailbox = CallbackMailbox(subject: Timeline.nextSubject(), destination: OperationQueueDestination(queue))
    changing = Locked(Changing(context: LoadContext(values), roles: DelegateRoles(delegate)))
    super.init()
    Self.living.withLock { $0[ObjectIdentifier(self)] = self }
  }

  // MARK: Properties

  /// A copy of the configuration that the session was made with; changing it changes nothing.
  open var configuration: URLSessionConfiguration { URLSessionConfiguration(copied.loadConfiguration) }

  /// The delegate given at the making; nil once the session has become invalid.
  open var delegate: (any URLSessionDelegate)? { roles.session }

  /// A text of the user's own.
  open var sessionDescription: String? {
    get { changing.withLock { $0.sessionDescription } }
    set { changing.withLock { $0.sessionDescription = newValue } }
  }

  var roles: DelegateRoles { changing.withLock { $0.roles } }

  /// Every task there is, suspended ones as well, that has not completed yet; in the order of their making.
  var unfinishedTasks: [URLSessionTask] {
    changing.withLock { $0.registry.all }.filter { $0.state != .completed }
  }

  /// A task's callbacks share the session's mailbox where only one can run at a time anyway.
  func makeMailbox() -> CallbackMailbox {
    isSerial
      ? mailbox
      : CallbackMailbox(subject: Timeline.nextSubject(), destination: OperationQueueDestination(queue))
  }

  /// Runs `callback` on the delegate queue.
  func post(_ callback: @escaping @Sendable () -> Void) { mailbox.post(callback) }
}
