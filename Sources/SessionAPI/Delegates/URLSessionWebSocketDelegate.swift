// SPDX-License-Identifier: Apache-2.0
import Delivery
public import Foundation

/// Receives the opening and the closing of WebSocket tasks. All methods are optional and called on the session's
/// `delegateQueue`. The completion comes after them, as for every task.
public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
  /// The handshake is done. Not called when it fails.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - webSocketTask: The task.
  ///   - protocol: The sub-protocol that the server chose of those offered, or nil.
  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?)

  /// A close frame arrived from the server, whichever side began; or the server ended the connection without one after
  /// `cancel(with:reason:)`, whose code and reason these are then. Not called when the connection is lost otherwise.
  ///
  /// - Parameters:
  ///   - session: The task's session.
  ///   - webSocketTask: The task.
  ///   - closeCode: The frame's code, whether it has a name or not; `.noStatusReceived` where it has none.
  ///   - reason: The frame's reason in UTF-8; nil where it has none.
  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
}

extension URLSessionWebSocketDelegate {
  /// Does nothing, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
  ) {
    DelegateMethod.didOpenSocket.isMissing(in: self)
    let next = webSocketTask.roles(after: self)?.session as? any URLSessionWebSocketDelegate
    if let next { webSocketTask.deliverOpening(`protocol`, to: next) }
  }

  /// Does nothing, or calls the session's delegate.
  public func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {
    DelegateMethod.didCloseSocket.isMissing(in: self)
    let next = webSocketTask.roles(after: self)?.session as? any URLSessionWebSocketDelegate
    if let next { webSocketTask.deliverClosing(closeCode, reason, to: next) }
  }
}
