// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import URLLoading

/// A call of a stream's user that waits for its answer.
enum StreamCall {
  case read(@Sendable (Data?, Bool, (any Error)?) -> Void)
  case write(@Sendable ((any Error)?) -> Void)
}

/// The driver of one stream task: performs its machine's actions, on the I/O thread; handlers are called by the task's
/// mailbox, each once.
///
/// The bytes arrive over a connection of the task's own, or are the body of a response, whose data task became this one.
final class StreamDriver: RawConnectionDriver<StreamMachine, StreamCall>, RawConnectionUser, @unchecked Sendable {
  // Sendable: the state is touched on the I/O thread alone.
  typealias Task = URLSessionStreamTask

  private var isOpen = false
  /// True if reading and writing are over.
  private var isFinished = false
  /// Time limits of calls that count from the opening on, and the timers of those that count.
  private var limits: [Int: TimeInterval] = [:]
  private var timers: [Int: any DispatchSourceTimer] = [:]
  private var error: URLError?
  /// The load whose body this is, and what is to be done when it has ended and was read.
  private var bodyLoad: Load?
  private var completion: (@Sendable () -> Void)?

  /// The driver of a connection, or of the body of a response, on which nothing can be written.
  init(isBody: Bool = false) { super.init(StreamMachine(isReadOnly: isBody)) }

  // MARK: - The user's calls, from any thread

  /// Makes the machine answer a call within so many seconds; 0 for no limit.
  func ask(
    _ call: StreamCall, within limit: TimeInterval, of task: Task,
    _ event: @escaping @Sendable (inout StreamMachine, Int) -> [StreamMachine.Action]
  ) {
    Load.onThread { [self] in
      let number = take(call)
      if limit > 0, limit < 1e9 { limits[number] = limit }
      perform(event(&machine, number), task)
      if isOpen { startTimers(task) }
      clientCalled(task)
    }
  }

  func cancelled(_ task: URLSessionTask, _ load: Load) {
    Load.onThread { [self] in
      let cancellation = LoadError.error(.cancelled, url: nil, description: "cancelled")
      load.finish(cancellation)
      // A body may have been complete long before it was read.
      guard let completion = completion.take() else { return }
      error = cancellation
      end(task, completion)
    }
  }

  // MARK: - The connection's events, on the I/O thread

  func opened(_ response: HTTPURLResponse?, _ protocolName: String?, _ task: URLSessionTask) {
    isOpen = true
    startTimers(task)
    perform(machine.opened(), task)
  }

  func secured(_ task: URLSessionTask) {
    perform(machine.secured(), task)
  }

  /// A body that has ended well is still to be read; only then has the task.
  func ended(_ error: URLError?, _ task: URLSessionTask, then complete: @escaping @Sendable () -> Void) {
    self.error = error
    guard bodyLoad != nil, error == nil, !isFinished else { return end(task, complete) }
    completion = complete
    takeBody(task)
  }

  /// Ends the task. After a lost connection the client can read the bytes that the task had received.
  private func end(_ task: URLSessionTask, _ complete: @escaping @Sendable () -> Void) {
    let isLost = error?.code == .networkConnectionLost
    while isLost, let piece = bodyLoad?.takeBody(atMost: 64 * 1024) {
      unsafe piece.withUnsafeBytes { unsafe perform(machine.arrived($0), task) }
    }
    bodyLoad = nil
    perform(machine.ended(keepsInput: isLost), task)
    for timer in timers.values { timer.cancel() }
    (timers, limits) = ([:], [:])
    tell(task, isUrgent: !isLost, complete)
  }

  func shown(_ error: URLError) -> URLError {
    // The URL is none of the user's.
    var info = error.userInfo
    info[NSURLErrorFailingURLErrorKey] = nil
    info[NSErrorFailingURLStringKey] = nil
    return URLError(error.code, userInfo: info)
  }

  // MARK: - The body of a response

  /// The task continues with the body of a response, of which nothing was read yet; nothing can be written.
  func begin(with load: Load, _ task: Task, answering question: LoadQuestion) {
    Load.onThread { [self] in bodyLoad = load }
    if let client = task.client { load.accept(.stream, for: client, answering: question) }
    // Only now may others take over from the task: the load works for it.
    Load.onThread { [self] in
      isOpen = true
      startTimers(task)
      perform(machine.opened(), task)
    }
  }

  /// Bytes of the body wait.
  func bodyCame(_ task: URLSessionTask) {
    takeBody(task)
  }

  private func takeBody(_ task: URLSessionTask) {
    guard let load = bodyLoad else { return }
    while !isHeld, let piece = load.takeBody(atMost: 64 * 1024) {
      unsafe piece.withUnsafeBytes { unsafe perform(machine.arrived($0), task) }
    }
    if completion != nil, !isHeld, !load.hasBody { perform(machine.inputEnded(), task) }
  }

  // MARK: - Actions

  override var holdsReceived: Bool { machine.hasUnread }

  override func carryOut(_ action: StreamMachine.Action, _ task: URLSessionTask) {
    switch action {
    case .write(let bytes): task.load?.send(bytes)
    case .endSending: task.load?.endSending()
    case .wrote(let number): answer(number, task) { if case .write(let handler) = $0 { handler(nil) } }
    case .read(let number, let data, let atEOF):
      answer(number, task) { if case .read(let handler) = $0 { handler(data, atEOF, nil) } }
    case .fail(let number, let failure): fail(number, failure, task)
    case .hold: isHeld = true
    case .resume: resume(task)
    case .readClosed: post(task) { $0.deliverClosed(.read) }
    case .writeClosed: post(task) { $0.deliverClosed(.write) }
    case .secure: task.load?.secure()
    case .refuseSecurity: task.load?.finish(Self.lateSecurity)
    case .finish: finish(task)
    case .capture(let captured): capture(captured, task)
    }
  }

  private func resume(_ task: URLSessionTask) {
    isHeld = false
    if bodyLoad == nil {
      task.load?.resumeReading()
    } else {
      // Not from within the reading of it.
      Load.onThread { [self] in takeBody(task) }
    }
  }

  private func finish(_ task: URLSessionTask) {
    isFinished = true
    guard let completion = completion.take() else {
      task.load?.finish(nil)
      return
    }
    end(task, completion)
  }

  /// Gives the connection to its streams. The load does not call the task again.
  private func capture(_ captured: StreamMachine.Captured, _ task: URLSessionTask) {
    guard let task = task as? Task, let load = bodyLoad ?? task.load else { return }
    let errors = CapturedErrors(
      read: captured.readFailure.map { makeError($0) }, write: captured.writeFailure.map { makeError($0) })
    let connection = CapturedConnection(load, isBody: bodyLoad != nil, isHeld: isHeld, captured, errors)
    let end = connection.begin(hasEnded: completion.take() != nil)
    isFinished = true
    bodyLoad = nil
    task.shared.withLock { $0.life.ended() }
    task.mailbox.post { task.deliverCapture(of: connection, end, load) }
  }

  private func post(_ task: URLSessionTask, _ callback: @escaping @Sendable (Task) -> Void) {
    if let task = task as? Task { task.mailbox.post { callback(task) } }
  }

  private func answer(_ number: Int, _ task: URLSessionTask, _ deliver: @escaping @Sendable (StreamCall) -> Void) {
    limits[number] = nil
    timers.removeValue(forKey: number)?.cancel()
    if let call = claim(number) { task.mailbox.post { deliver(call) } }
  }

  private func fail(_ number: Int, _ failure: StreamMachine.Failure, _ task: URLSessionTask) {
    let error = makeError(failure)
    answer(number, task) { call in
      switch call {
      case .read(let handler): handler(nil, false, error)
      case .write(let handler): handler(error)
      }
    }
  }

  private func makeError(_ failure: StreamMachine.Failure) -> URLError {
    switch failure {
    case .timedOut: LoadError.error(.timedOut, url: nil, description: "The request timed out.")
    case .closed:
      LoadError.error(
        .networkConnectionLost, url: nil, underlying: POSIXError(.ENOTCONN),
        description: "This side of the stream was closed before.")
    case .captured:
      LoadError.error(
        .networkConnectionLost, url: nil, underlying: POSIXError(.ENOTCONN),
        description: "The streams of this task were captured.")
    case .ended:
      error
        ?? LoadError.error(
          .networkConnectionLost, url: nil, underlying: POSIXError(.ENOTCONN), description: "The stream has ended.")
    }
  }

  private static let lateSecurity = LoadError.error(
    .secureConnectionFailed, url: nil,
    description: "TLS cannot begin here: one side of the stream is over, or the server sent bytes that nobody has read."
  )

  // MARK: - Time limits

  private func startTimers(_ task: URLSessionTask) {
    for (number, limit) in limits {
      timers[number] = makeTimer(limit, task) { $0.timedOut(number) }
    }
    limits = [:]
  }
}
