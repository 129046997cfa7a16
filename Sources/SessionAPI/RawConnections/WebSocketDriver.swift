// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import HTTPRules
import Locking
import URLLoading

/// A call of a WebSocket's user that waits for its answer.
enum WebSocketCall {
  case send(@Sendable ((any Error)?) -> Void)
  case ping(@Sendable ((any Error)?) -> Void)
  case receive(@Sendable (Result<URLSessionWebSocketTask.Message, any Error>) -> Void)
}

/// The driver of one WebSocket: performs its machine's actions, on the I/O thread; handlers are called by the task's
/// mailbox, each once.
final class WebSocketDriver: RawConnectionDriver<WebSocketMachine, WebSocketCall>, RawConnectionUser,
  @unchecked Sendable
{
  // Sendable: `facts` is locked, all other state is touched on the I/O thread alone.
  typealias Task = URLSessionWebSocketTask

  struct Facts {
    var closeCode = Task.CloseCode.invalid
    var closeReason: Data?
    var maximumMessageSize = 1 << 20
  }

  let facts = Locked(Facts())
  private var closeTimer: (any DispatchSourceTimer)?
  /// Why there is no connection any more.
  private var error: URLError?

  init() { super.init(WebSocketMachine()) }

  // MARK: - The user's calls, from any thread

  /// Makes the machine answer a call.
  func ask(
    _ call: WebSocketCall, of task: Task,
    _ event: @escaping @Sendable (inout WebSocketMachine, Int) -> [WebSocketMachine.Action]
  ) {
    Load.onThread { [self] in
      let number = take(call)
      perform(event(&machine, number), task)
      clientCalled(task)
    }
  }

  func setMaximumMessageSize(_ size: Int) {
    facts.withLock { $0.maximumMessageSize = size }
    Load.onThread { [self] in machine.maximumMessageSize = size }
  }

  func close(_ close: WebSocketClose, _ task: Task) {
    report(task) { $0.close(close) }
  }

  /// As on Apple's systems, the server gets a close frame without a code.
  func cancelled(_ task: URLSessionTask, _ load: Load) {
    report(task) { $0.cancel() }
  }

  // MARK: - The connection's events, on the I/O thread

  func opened(_ response: HTTPURLResponse?, _ protocolName: String?, _ task: URLSessionTask) {
    if let task = task as? Task { task.mailbox.post { task.deliverOpening(protocolName) } }
    perform(machine.opened(), task)
  }

  func ended(_ error: URLError?, _ task: URLSessionTask, then complete: @escaping @Sendable () -> Void) {
    self.error = error
    closeTimer?.cancel()
    closeTimer = nil
    perform(machine.ended(error == nil ? nil : .lost), task)
    tell(task, isUrgent: error?.code == .cancelled, complete)
  }

  /// After the user's own close frame the server may end the connection in any way. After a fault of its own, too: that is
  /// what the calls have failed with, and so does the task.
  func cause(of error: URLError, _ task: URLSessionTask) -> URLError? {
    guard error.code == .networkConnectionLost else { return error }
    return machine.fault.map { makeError($0, task) } ?? (machine.isOverByEnd ? nil : error)
  }

  func shown(_ request: URLRequest) -> URLRequest { WebSocketURL.shown(request) }

  func shown(_ error: URLError) -> URLError {
    guard let url = error.userInfo[NSURLErrorFailingURLErrorKey] as? URL else { return error }
    let shown = WebSocketURL.shown(url)
    var info = error.userInfo
    info[NSURLErrorFailingURLErrorKey] = shown
    info[NSErrorFailingURLStringKey] = shown.absoluteString
    return URLError(error.code, userInfo: info)
  }

  // MARK: - Actions

  override var holdsReceived: Bool { machine.hasMessages }

  override func carryOut(_ action: WebSocketMachine.Action, _ task: URLSessionTask) {
    switch action {
    case .write(let bytes): task.load?.send(bytes)
    case .sent(let number), .pong(let number): answer(number, nil, task)
    case .deliver(let number, let message): deliver(message, number, task)
    case .fail(let number, let failure): answer(number, (error ?? makeError(failure, task)).original, task)
    case .closed(let close): closed(close, task)
    case .hold: isHeld = true
    case .resume:
      isHeld = false
      task.load?.resumeReading()
    case .wait(let duration): wait(duration, task)
    case .finish(let failure): task.load?.finish(failure.map { makeError($0, task) })
    }
  }

  private func answer(_ number: Int, _ error: (any Error)?, _ task: URLSessionTask) {
    guard let call = claim(number) else { return }
    task.mailbox.post {
      switch call {
      case .send(let handler), .ping(let handler): handler(error)
      case .receive(let handler): handler(.failure(error ?? URLError(.unknown)))
      }
    }
  }

  private func deliver(_ message: WebSocketMessage, _ number: Int, _ task: URLSessionTask) {
    guard case .receive(let handler) = claim(number) else { return }
    let shown: Task.Message =
      switch message {
      case .text(let text): .string(text)
      case .binary(let bytes): .data(bytes)
      }
    task.mailbox.post { handler(.success(shown)) }
  }

  private func closed(_ close: WebSocketClose, _ task: URLSessionTask) {
    let code = close.code.map { Task.CloseCode(Int($0)) } ?? .noStatusReceived
    facts.withLock { facts in
      facts.closeCode = code
      facts.closeReason = close.reason.isEmpty ? nil : close.reason
    }
    guard let task = task as? Task else { return }
    tell(task) { task.mailbox.post { task.deliverClosing(code) } }
  }

  private func wait(_ duration: Duration, _ task: URLSessionTask) {
    closeTimer?.cancel()
    closeTimer = makeTimer(duration / .seconds(1), task) { $0.waitedLongEnough() }
  }

  private func makeError(_ failure: WebSocketMachine.Failure, _ task: URLSessionTask) -> URLError {
    let url = task.originalRequest?.url
    switch failure {
    case .closed:
      let error = LoadError.error(.networkConnectionLost, url: url, description: "The WebSocket is closed.")
      return LoadError.system(.ENOTCONN, over: error)
    case .cancelled: return LoadError.error(.cancelled, url: url, description: "cancelled")
    case .lost:
      return LoadError.error(
        .networkConnectionLost, url: url, description: "The connection was lost before the WebSocket was closed.")
    case .tooLarge(let sentence):
      return LoadError.system(
        .EMSGSIZE, over: LoadError.error(.dataLengthExceedsMaximum, url: url, description: sentence))
    case .violated(let sentence):
      return LoadError.error(.cannotParseResponse, url: url, description: sentence)
    }
  }
}
