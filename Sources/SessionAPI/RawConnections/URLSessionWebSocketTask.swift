// SPDX-License-Identifier: Apache-2.0
import Delivery
public import Foundation
import HTTPRules
import Locking
import URLLoading

/// A WebSocket (RFC 6455): messages in both directions over one connection, until one side closes it.
///
/// The task starts with its first `resume()`. Its handshake is a request over HTTP/1.1 with the session's cookies,
/// credentials and additional fields; redirects and challenges come before it. What is sent before the handshake is done
/// waits for it. A handshake that the server refuses ends the task with -1011, and `response` says how it was answered.
///
/// All handlers are called on the session's `delegateQueue`, each once. The request's time-out counts until the
/// WebSocket is open; then nothing but the configuration's `timeoutIntervalForResource` ends a silent one, and the task
/// sends no pings of its own. Compression is not offered.
///
/// An orderly close, by whichever side, completes the task without an error. Calls that come too late fail with an `NSError` of
/// the domain `NSPOSIXErrorDomain` and the code `ENOTCONN`, as on Apple's systems, and a message that is too large ends the task
/// with `EMSGSIZE`; beneath stands a `URLError` (-1005, -1103) with a sentence. The toolchain's `POSIXError` cannot be cast to.
/// Bytes that break the protocol end the task with -1017. All calls that a fault ends, and the task, have the same error.
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
  /// A message of any size, whole.
  public enum Message: Sendable {
    /// Bytes.
    case data(Data)
    /// Text.
    case string(String)
  }

  let driver: WebSocketDriver

  init(
    _ specification: TaskSpecification, identifier: Int, session: URLSession, context: LoadContext,
    driver: WebSocketDriver
  ) {
    self.driver = driver
    super.init(specification, identifier: identifier, session: session, context: context)
  }

  /// An inert task, for subclasses of a test's own: it loads nothing, and what it is asked for is never answered.
  @available(*, deprecated, message: "A session makes its tasks.")
  public override init() {
    driver = WebSocketDriver()
    super.init()
  }

  override func makeClient(for receiver: Receiver) -> TaskClient { ConnectionClient(self, driver) }

  override func cancel(_ load: Load) { driver.cancelled(self, load) }

  /// The request that opens the WebSocket, as it was sent last.
  open override var currentRequest: URLRequest? { super.currentRequest.map { WebSocketURL.shown($0) } }

  // MARK: Messages

  /// Sends a message, after all that were sent before.
  ///
  /// - Parameters:
  ///   - message: Text goes as UTF-8.
  ///   - completionHandler: Called when the message was given to the system, which says nothing about the server; or with
  ///     the error with which the WebSocket ended before.
  open func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    let content: WebSocketMessage =
      switch message {
      case .data(let bytes): .binary(bytes)
      case .string(let text): .text(text)
      }
    driver.ask(.send(completionHandler), of: self) { $0.send(content, $1) }
  }

  /// Sends a message; returns when it was given to the system.
  open func send(_ message: Message) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      send(message) { continuation.resume(with: $0.map { .failure($0) } ?? .success(())) }
    }
  }

  /// Receives one message: the oldest that waits, or the next. Call it again for the one after. Messages that came before
  /// the WebSocket was closed can still be received; then it fails. The delegate hears of the close and of the end when they
  /// were, or a second after the last call.
  open func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {
    driver.ask(.receive(completionHandler), of: self) { $0.receive($1) }
  }

  /// Receives one message. Cancelling the enclosing Swift task has no effect; `cancel()` on this task has.
  open func receive() async throws -> Message {
    try await withCheckedThrowingContinuation { continuation in
      receive { continuation.resume(with: $0) }
    }
  }

  /// Sends a ping. The handler is called, once, when its pong has arrived, in the order of the pings; or with the error
  /// with which the WebSocket ended before.
  open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {
    driver.ask(.ping(pongReceiveHandler), of: self) { $0.ping($1) }
  }

  /// Sends a ping; returns when its pong has arrived. Cancelling the enclosing Swift task has no effect; `cancel()` on this
  /// task has.
  open func sendPing() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      sendPing { continuation.resume(with: $0.map { .failure($0) } ?? .success(())) }
    }
  }

  /// The most bytes that a message may have, and that wait to be received; 1 MiB unless set. A longer message
  /// closes the WebSocket with 1009 and ends the task with an error. While that much waits the server is held back.
  open var maximumMessageSize: Int {
    get { driver.facts.withLock { $0.maximumMessageSize } }
    set { driver.setMaximumMessageSize(newValue) }
  }

  // MARK: Closing

  /// Closes the WebSocket in order: what was sent goes out, then a close frame; the task completes when the server has
  /// answered it, or has ended the connection in place of an answer: then the delegate gets this code and reason. A server
  /// that does neither within 10 seconds makes it complete with -999, as does a handshake that is not done yet. What the
  /// server sends meanwhile is dropped.
  ///
  /// - Parameters:
  ///   - closeCode: Why. A code that must not be sent is left out of the frame, and the reason with it.
  ///   - reason: UTF-8, of which as many characters are sent as 123 bytes hold.
  open func cancel(with closeCode: CloseCode, reason: Data?) {
    driver.close(closeCode.frame(reason), self)
  }

  /// The code of the server's close frame; `.invalid` until one has arrived. Where the server ended the connection in place of
  /// an answer to `cancel(with:reason:)`, the code that was given there.
  open var closeCode: CloseCode { driver.facts.withLock { $0.closeCode } }

  /// The reason in the server's close frame; nil until one has arrived, or when it gave none. It belongs to `closeCode`, also
  /// where that is the task's own.
  open var closeReason: Data? { driver.facts.withLock { $0.closeReason } }
}

// MARK: - Delegates

extension URLSessionWebSocketTask {
  func deliverOpening(_ protocolName: String?) {
    if let delegate = receiver(\.webSocket) { deliverOpening(protocolName, to: delegate) }
  }

  func deliverOpening(_ protocolName: String?, to delegate: any URLSessionWebSocketDelegate) {
    DelegateMethod.didOpenSocket.run(on: delegate) {
      announce(.didOpenSocket)
    } call: {
      delegate.urlSession(session, webSocketTask: self, didOpenWithProtocol: protocolName)
    }
  }

  func deliverClosing(_ code: CloseCode) {
    if let delegate = delegates.webSocket { deliverClosing(code, closeReason, to: delegate) }
  }

  func deliverClosing(_ code: CloseCode, _ reason: Data?, to delegate: any URLSessionWebSocketDelegate) {
    DelegateMethod.didCloseSocket.run(on: delegate) {
      announce(.didCloseSocket)
    } call: {
      delegate.urlSession(session, webSocketTask: self, didCloseWith: code, reason: reason)
    }
  }
}
