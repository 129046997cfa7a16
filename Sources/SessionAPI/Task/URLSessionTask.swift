// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Delivery
public import Foundation
import Locking
import Synchronization
import Timeline
import URLLoading

/// One request and its response: made by a session, suspended until its first `resume()`.
///
/// The session keeps a task from its making until it has completed, so the user need not. Thread-safe: everything may be
/// called from any thread, inside callbacks as well.
///
/// Its `TaskClient` listens to its load on the I/O thread and posts to its mailbox, which brings callbacks to the session's
/// `delegateQueue`; its extensions call the delegates' methods there.
open class URLSessionTask: NSObject, NSCopying, ProgressReporting, @unchecked Sendable {
  // Sendable: what changes lies in `shared`, behind its lock; the rest is constant.

  /// The state of a task.
  public enum State: Int, Sendable {
    /// It was resumed as often as it was suspended.
    case running = 0
    /// It was not resumed yet, or was suspended.
    case suspended = 1
    /// It was cancelled and has not completed yet.
    case canceling = 2
    /// Its completion is being delivered, or has been.
    case completed = 3
  }

  /// The task's number, whatever a subclass says of it.
  let number: Int
  /// The number of its load on the timeline; 0 for an inert task.
  let subject: UInt64
  let session: URLSession
  let shared: Locked<TaskState>
  /// The task's callbacks, in order; the session's own where its queue runs one operation at a time.
  let mailbox: CallbackMailbox
  /// nil where resume data had none.
  private let firstRequest: URLRequest?
  let body: LoadBody?
  /// The length of the body of a resumed upload.
  private let resumedLength: Int64?
  /// When the program made the task: by the steady clock, and by the wall clock, which a person may set.
  let creationInstant = ContinuousClock.now
  let creation = Date()
  /// The facts known here of a task that the transfer agent carries out: its own load is never started, and ends it where it
  /// cannot be submitted. nil in all sessions but those of the background.
  let remote: RemoteSide?
  /// True if the program has asked for `progress`.
  let hasProgress = Atomic<Bool>(false)

  init(_ specification: TaskSpecification, identifier: Int, session: URLSession, context: LoadContext) {
    number = identifier
    self.session = session
    firstRequest = specification.showsRequest ? specification.request : nil
    body = specification.body
    resumedLength = specification.uploading.map { $0.count ?? NSURLSessionTransferSizeUnknown }
    mailbox = session.makeMailbox()
    remote = session.parts.agent.map { _ in RemoteSide(specification) }
    shared = Locked(TaskState(isIncremental: specification.receiver.isIncremental))
    subject = Timeline.nextSubject()
    super.init()
    let sink = specification.receiver.sink(in: session.directory)
    let client = makeClient(for: specification.receiver)
    let load = Load(
      specification.loadRequest ?? specification.request, in: context, sink: sink, body: specification.body,
      resuming: specification.resuming,
      resumingUpload: specification.uploading.map { ($0, session.directory) }, subject: subject, use: specification.use,
      client: client)
    let delegates = TaskDelegates(own: .of(specification.delegate), all: session.roles)
    shared.withLock { state in
      (state.load, state.client) = (load, client)
      state.refusal = specification.refusal
      state.delegates = delegates
    }
  }

  /// A task that continues the load of another, which it replaces.
  init(inPlaceOf last: URLSessionTask, identifier: Int, state: TaskState, for receiver: Receiver) {
    number = identifier
    (session, firstRequest, body, mailbox) = (last.session, last.firstRequest, last.body, last.mailbox)
    (resumedLength, remote, subject) = (last.resumedLength, nil, last.subject)
    shared = Locked(state)
    super.init()
    let client = makeClient(for: receiver)
    shared.withLock { $0.client = client }
  }

  /// An inert task, for subclasses of a test's own: suspended for good, it loads nothing, and calls have no effect on it.
  @available(*, deprecated, message: "A session makes its tasks.")
  public override init() {
    (number, subject) = (0, 0)
    session = .ofInertTasks
    (firstRequest, body, resumedLength, remote) = (nil, nil, nil, nil)
    mailbox = session.makeMailbox()
    shared = Locked(TaskState(isIncremental: false, isInert: true))
    super.init()
  }

  deinit {
    Timeline.emit(.step(.letGo), subject: subject)
  }

  // MARK: Requests and response

  /// A task's number: counts up from 1 in its session, and is never used again there.
  open var taskIdentifier: Int { number }

  /// The request that the task was made with; nil only for a stream task and for a download from resume data that could
  /// not be read.
  open var originalRequest: URLRequest? { firstRequest }

  /// The request that was sent last; differs from the original after a redirect.
  open var currentRequest: URLRequest? {
    guard let firstRequest else { return nil }
    let last = shared.withLock { $0.load?.currentRequest ?? $0.lastRequest } ?? firstRequest
    return remote?.redirected(last) ?? last
  }

  /// The last response, also after a later failure; nil before the first.
  open var response: URLResponse? { shared.withLock { $0.response } }

  /// Why the task failed, once it has completed: a `URLError`, or nil on success.
  open var error: (any Error)? { shared.withLock { $0.error } }

  // MARK: Life

  /// The current state of the task. `.completed` already inside the completion callback.
  open var state: State { shared.withLock { $0.life.state } }

  /// Takes back one `suspend()`; a new task wants one to start. More calls than that have no effect.
  open func resume() { live { $0.resumed() } }

  /// Stops the transfer until `resume()` is called as often as this was. The server is held back, no time-out runs, and
  /// no byte comes twice; a few callbacks that were already on their way may still come.
  open func suspend() { live { $0.suspended() } }

  /// Ends the task with -999, exactly once, also when it was never resumed. No effect on one that has completed.
  ///
  /// Returns at once. What was received but not delivered yet is dropped; a download leaves no file behind, except with
  /// `URLSessionDownloadTask.cancel(byProducingResumeData:)`.
  open func cancel() { live { $0.cancelled() } }

  // MARK: Counts

  /// Bytes of the body so far: given to the data delegate, or received where there is a handler or a file, or where the
  /// data delegate gets one piece at the end. What is received counts at once.
  open var countOfBytesReceived: Int64 {
    remote?.counts.received ?? shared.withLock { $0.countsDelivered ? $0.received : $0.load?.bytesReceived ?? 0 }
  }

  /// The body's length in bytes as the response gives it, or `NSURLSessionTransferSizeUnknown` (-1); for a resumed
  /// download that of the whole.
  open var countOfBytesExpectedToReceive: Int64 {
    if let remote { return remote.counts.expected }
    return shared.withLock { $0.resumed?.expected ?? $0.response?.expectedContentLength }
      ?? NSURLSessionTransferSizeUnknown
  }

  /// Bytes of the request's body sent so far.
  open var countOfBytesSent: Int64 { remote?.counts.sent ?? shared.withLock { $0.load?.bytesSent ?? $0.sent.total } }

  /// The length in bytes of the request's body: 0 without one, `NSURLSessionTransferSizeUnknown` (-1) for a stream
  /// without a Content-Length.
  open var countOfBytesExpectedToSend: Int64 {
    resumedLength ?? firstRequest.map { RequestBody.length(of: $0, body: body) } ?? 0
  }

  /// The task as a `Progress`, in bytes of both bodies: indeterminate until one of the lengths is known, finished when
  /// the task has completed, whether with success or not. It moves with every piece that arrives or is sent. Cancelling,
  /// pausing and resuming it does so to the task. It can be made a child of another.
  open var progress: Progress { knownProgress }

  // MARK: For the user

  /// A text of the user's own.
  open var taskDescription: String? {
    get { shared.withLock { $0.taskDescription } }
    set {
      shared.withLock { $0.taskDescription = newValue }
      if let remote { session.parts.agent?.describe(remote.key, newValue) }
    }
  }

  /// Not before when the task of a background session starts, as it is set at the first `resume()`. No effect in other
  /// sessions.
  open var earliestBeginDate: Date? {
    get { shared.withLock { $0.earliestBeginDate } }
    set { shared.withLock { $0.earliestBeginDate = newValue } }
  }

  /// How many bytes the user expects to send, -1 when unknown: a hint, kept and without effect.
  open var countOfBytesClientExpectsToSend: Int64 {
    get { shared.withLock { $0.expectedByClient.send } }
    set { shared.withLock { $0.expectedByClient.send = newValue } }
  }

  /// How many bytes the user expects to receive, -1 when unknown: a hint, kept and without effect.
  open var countOfBytesClientExpectsToReceive: Int64 {
    get { shared.withLock { $0.expectedByClient.receive } }
    set { shared.withLock { $0.expectedByClient.receive = newValue } }
  }

  /// True if the data delegate is given the body as it comes; false for one piece at the end. Counts when the response
  /// is there. true unless set, but false where there is a completion handler or a file.
  open var prefersIncrementalDelivery: Bool {
    get { shared.withLock { $0.prefersIncrementalDelivery ?? $0.isIncremental } }
    set { shared.withLock { $0.prefersIncrementalDelivery = newValue } }
  }

  /// How urgent the task is among others, from 0 to 1.
  ///
  /// Difference from Apple: the value is kept and has no effect.
  open var priority: Float {
    get { shared.withLock { $0.priority } }
    set { shared.withLock { $0.priority = newValue } }
  }

  /// 0.5
  open class var defaultPriority: Float { 0.5 }
  /// 0.25
  open class var lowPriority: Float { 0.25 }
  /// 0.75
  open class var highPriority: Float { 0.75 }

  /// The task's own delegate, asked before the session's; held until the task has completed.
  ///
  /// Set it before the first `resume()`; later is a programmer's error and traps.
  open var delegate: (any URLSessionTaskDelegate)? {
    get { shared.withLock { $0.delegates.own.task } }
    set {
      var roles = DelegateRoles.of(newValue)
      let isLate = shared.withLock { state in
        guard !state.life.wasStarted else { return true }
        // The one before is let go when the lock is free.
        swap(&state.delegates.own, &roles)
        return false
      }
      withExtendedLifetime(roles) {}
      if isLate {
        ProgrammerError.stop(
          "URLSessionTask",
          "The delegate of a URLSessionTask was set after resume(). Set it before the first resume().")
      }
    }
  }

  // MARK: What kinds of tasks do differently

  /// The client of the task's load for a receiver that this kind of task can have.
  func makeClient(for receiver: Receiver) -> TaskClient { TaskClient(self) }

  /// Ends a load that was started.
  func cancel(_ load: Load) { load.cancel() }

  /// Carries out what follows from `resume()`, `suspend()` or `cancel()`.
  func carryOut(_ action: TaskLife.Action, on load: Load, _ refusal: URLError?) {
    if let step = action.step { Timeline.emit(.step(step), subject: subject) }
    if let remote, let agent = session.parts.agent {
      return carryOut(action, by: agent, remote, on: load, refusal)
    }
    switch action {
    case .start: if let refusal = objection(refusal) { refuse(load, refusal) } else { load.start() }
    case .pause: load.suspend()
    case .resume: load.resume()
    case .cancel: cancel(load)
    }
  }

  /// Bytes of the body that were received by the load, or on its behalf.
  func bytesReceived(by load: Load) -> Int64 { remote?.counts.received ?? load.bytesReceived }

  /// What tells the task from all others in a log, as on Apple's systems: its kind, a name, and its number, such as
  /// `LocalDataTask <6AEEA39A-5D24-4C8E-AA60-C684686996EA>.<1>`. A task of a background session is a `Background` one, whose
  /// name lasts beyond the process; a task that takes the place of another has its name. Stream tasks, whose form is not
  /// known, and inert ones have their class and address.
  open override var description: String { logName ?? super.description }

  /// The task itself: a task stands for one transfer and has no copies.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// -1, for a body of unknown length.
public let NSURLSessionTransferSizeUnknown: Int64 = -1
