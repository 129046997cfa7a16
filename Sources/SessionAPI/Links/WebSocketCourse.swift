// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// The course of one WebSocket: carries out what its machine orders.
///
/// Everything about the machine happens on the I/O thread, to which the task's methods post; so what is sent has one
/// order, and no lock guards it. Handlers are called by the task's mailbox, each once.
final class WebSocketCourse: LinkUser, @unchecked Sendable {
  // Sendable: `facts` is locked, all other state is touched on the I/O thread alone.
  typealias Task = URLSessionWebSocketTask

  /// A call of the user's that waits for its answer.
  enum Call {
    case send(@Sendable ((any Error)?) -> Void)
    case ping(@Sendable ((any Error)?) -> Void)
    case receive(@Sendable (Result<Task.Message, any Error>) -> Void)
  }

  struct Facts {
    var closeCode = Task.CloseCode.invalid
    var closeReason: Data?
    var maximumMessageSize = 1 << 20
  }

  let facts = Locked(Facts())
  private var machine = WebSocketMachine()
  private var calls: [WebSocketMachine.Number: Call] = [:]
  private var lastNumber = 0
  private var orders: [WebSocketMachine.Order] = []
  private var isPerforming = false
  private var isHeld = false
  private var patience: (any DispatchSourceTimer)?
  /// Why there is no connection any more.
  private var error: URLError?

  // MARK: - The user's calls, from any thread

  /// Makes the machine answer a call.
  func ask(
    _ call: Call, of task: Task, _ event: @escaping @Sendable (inout WebSocketMachine, Int) -> [WebSocketMachine.Order]
  ) {
    Load.onThread { [self] in
      lastNumber += 1
      calls[lastNumber] = call
      perform(event(&machine, lastNumber), task)
    }
  }

  func setMaximumMessageSize(_ size: Int) {
    facts.withLock { $0.maximumMessageSize = size }
    Load.onThread { [self] in machine.maximumMessageSize = size }
  }

  func close(_ close: WebSocketClose, _ task: Task) {
    Load.onThread { [self] in perform(machine.close(close), task) }
  }

  /// As on Apple's systems, the server is told without a code.
  func cancelled(_ task: URLSessionTask, _ load: Load) {
    Load.onThread { [self] in perform(machine.cancel(), task) }
  }

  // MARK: - The connection's events, on the I/O thread

  func opened(_ response: HTTPURLResponse?, _ protocolName: String?, _ task: URLSessionTask) {
    if let task = task as? Task { task.mailbox.post { task.deliverOpening(protocolName) } }
    perform(machine.opened(), task)
  }

  func received(_ bytes: UnsafeRawBufferPointer, _ task: URLSessionTask) -> Bool {
    perform(machine.arrived(bytes), task)
    return !isHeld
  }

  func sent(_ total: Int64, _ task: URLSessionTask) {
    perform(machine.wrote(total), task)
  }

  func inputEnded(_ task: URLSessionTask) {
    perform(machine.inputEnded(), task)
  }

  func ended(_ error: URLError?, _ task: URLSessionTask, then complete: @escaping @Sendable () -> Void) {
    self.error = error
    patience?.cancel()
    patience = nil
    perform(machine.ended(error == nil ? nil : .lost), task)
    complete()
  }

  func shown(_ error: URLError) -> URLError {
    guard let url = error.userInfo[NSURLErrorFailingURLErrorKey] as? URL else { return error }
    let shown = WebSocketURL.shown(url)
    var info = error.userInfo
    info[NSURLErrorFailingURLErrorKey] = shown
    info["NSErrorFailingURLStringKey"] = shown.absoluteString
    return URLError(error.code, userInfo: info)
  }

  // MARK: - Orders

  /// Carries out orders one after the other, also those that come of carrying out others.
  private func perform(_ new: [WebSocketMachine.Order], _ task: URLSessionTask) {
    orders += new
    guard !isPerforming else { return }
    isPerforming = true
    var next = 0
    while next < orders.count {
      perform(orders[next], task)
      next += 1
    }
    orders = []
    isPerforming = false
  }

  private func perform(_ order: WebSocketMachine.Order, _ task: URLSessionTask) {
    switch order {
    case .write(let bytes): task.load?.send(bytes)
    case .sent(let number), .pong(let number): answer(number, nil, task)
    case .deliver(let number, let message): deliver(message, number, task)
    case .fail(let number, let failure): answer(number, error ?? makeError(failure, task), task)
    case .closed(let close): closed(close, task)
    case .hold: isHeld = true
    case .goOn:
      isHeld = false
      task.load?.goOnReading()
    case .wait(let duration): wait(duration, task)
    case .finish(let failure): task.load?.finish(failure.map { makeError($0, task) })
    }
  }

  private func answer(_ number: Int, _ error: URLError?, _ task: URLSessionTask) {
    guard let call = calls.removeValue(forKey: number) else { return }
    task.mailbox.post {
      switch call {
      case .send(let handler), .ping(let handler): handler(error)
      case .receive(let handler): handler(.failure(error ?? URLError(.unknown)))
      }
    }
  }

  private func deliver(_ message: WebSocketMessage, _ number: Int, _ task: URLSessionTask) {
    guard case .receive(let handler) = calls.removeValue(forKey: number) else { return }
    let shown: Task.Message =
      switch message {
      case .text(let text): .string(text)
      case .binary(let bytes): .data(bytes)
      }
    task.mailbox.post { handler(.success(shown)) }
  }

  private func closed(_ close: WebSocketClose, _ task: URLSessionTask) {
    let code = close.code.map { Task.CloseCode(rawValue: Int($0)) ?? .invalid } ?? .noStatusReceived
    facts.withLock { facts in
      facts.closeCode = code
      facts.closeReason = close.reason.isEmpty ? nil : close.reason
    }
    if let task = task as? Task { task.mailbox.post { task.deliverClosing(code) } }
  }

  private func wait(_ duration: Duration, _ task: URLSessionTask) {
    patience?.cancel()
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.setEventHandler { [weak self, weak task] in
      guard let self, let task else { return }
      Load.onThread { self.perform(self.machine.waitedLongEnough(), task) }
    }
    timer.schedule(deadline: .now() + duration / .seconds(1))
    timer.activate()
    patience = timer
  }

  private func makeError(_ failure: WebSocketMachine.Failure, _ task: URLSessionTask) -> URLError {
    let url = task.originalRequest?.url
    return switch failure {
    case .closed:
      LoadError.error(
        .networkConnectionLost, url: url, underlying: POSIXError(.ENOTCONN), description: "The WebSocket is closed.")
    case .cancelled: LoadError.error(.cancelled, url: url, description: "cancelled")
    case .lost:
      LoadError.error(
        .networkConnectionLost, url: url, description: "The connection was lost before the WebSocket was closed.")
    case .tooLarge(let sentence):
      LoadError.error(
        .dataLengthExceedsMaximum, url: url, underlying: POSIXError(.EMSGSIZE), description: sentence)
    case .violated(let sentence): LoadError.error(.cannotParseResponse, url: url, description: sentence)
    }
  }
}
