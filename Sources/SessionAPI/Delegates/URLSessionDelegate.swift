// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// Hears of what concerns a session as a whole. All methods are optional and called on the session's `delegateQueue`.
///
/// Difference from Apple: a method that a subclass adds to a class which conforms without it is never called, because
/// Swift binds the default when the conformance is declared. Write every method into the class that conforms.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  /// The last call of a session: it was invalidated and its last task has ended. The session lets go of its delegate
  /// when this returns.
  ///
  /// - Parameters:
  ///   - session: The session that has ended.
  ///   - error: nil, because only the user invalidates a session here.
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

  /// A server shows who it is, or wants a certificate: what concerns a connection, not one request. The task waits until
  /// the handler is called, as with `urlSession(_:task:didReceive:completionHandler:)` of the task's delegate, which is
  /// asked in its place where this method is missing.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - challenge: What is asked; `protectionSpace.authenticationMethod` tells the kind.
  ///   - completionHandler: Takes what to do, and the credential for `.useCredential`. Only the first call counts.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}

extension URLSessionDelegate {
  /// Does nothing.
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    DelegateMethod.didBecomeInvalid.isMissing(in: self)
  }

  /// Asks the task-level method.
  public func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    DelegateMethod.didReceiveSessionChallenge.isLeftOut(by: self)
    guard let task = (challenge.sender as? TaskChallenge)?.task else {
      return completionHandler(.performDefaultHandling, nil)
    }
    task.goOn(after: self, challenge, completionHandler)
  }
}
