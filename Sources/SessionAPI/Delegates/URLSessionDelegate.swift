// SPDX-License-Identifier: Apache-2.0
import Delivery
public import Foundation
public import URLLoading

/// Receives what concerns a session as a whole. All methods are optional and called on the session's `delegateQueue`.
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

  /// A background session was made, its identifier had tasks that ended while no program had it, and the session has delivered
  /// the callbacks of those. Not called for other sessions.
  ///
  /// - Parameter session: The session.
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)

  /// A server presents its certificate, or asks for one: what concerns a connection, not one request. The task waits until
  /// the handler is called, as with `urlSession(_:task:didReceive:completionHandler:)` of the task's delegate, which is
  /// asked in its place where this method is missing.
  ///
  /// A server's trust is asked about before anything is sent to it, also where the system trusts it, and the decision binds
  /// to the certificates shown: `protectionSpace.serverTrust`. `.useCredential` with `URLCredential(trust:)` accepts
  /// them; every other credential, nil, and default handling leave it to the system; `.rejectProtectionSpace` ends the
  /// task with -1202. Difference from Apple: what the session's delegate accepts or leaves to the system counts for the
  /// session until the server shows another certificate; Apple asks for each new connection.
  ///
  /// A server or a proxy that wants a login by NTLM or Negotiate is asked about here, too, for it is the connection that is
  /// logged in.
  /// A credential for NTLM is carried out on connections of that user's own; one for Negotiate counts as
  /// `.rejectProtectionSpace`, and the next challenge of the same response is asked about.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - challenge: What is asked; `protectionSpace.authenticationMethod` is the kind.
  ///   - completionHandler: Takes what to do, and the credential for `.useCredential`. Only the first call counts.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

  /// The same as an asynchronous method. It is called where the one above is missing, and not on `delegateQueue`. Write
  /// one of the two.
  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

extension URLSessionDelegate {
  /// Does nothing.
  public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    DelegateMethod.didBecomeInvalid.isMissing(in: self)
  }

  /// Does nothing.
  public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    DelegateMethod.didFinishEvents.isMissing(in: self)
  }

  /// Leads to the next method.
  public func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    (challenge.sender as? TaskChallenge)?.noteMissingMethod()
    return (.performDefaultHandling, nil)
  }

  /// Asks the asynchronous method, then the task-level one.
  public func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    DelegateMethod.didReceiveSessionChallenge.isMissing(in: self)
    guard let sender = challenge.sender as? TaskChallenge, let owner = sender.task else {
      return completionHandler(.performDefaultHandling, nil)
    }
    if DelegateMethod.didReceiveSessionChallenge.isKnownToBeLeftOut(by: self) {
      return owner.continueChallenge(after: self, challenge, completionHandler)
    }
    sender.ask {
      await self.urlSession(session, didReceive: challenge)
    } answer: { disposition, credential in
      owner.announce(.didReceiveSessionChallenge)
      completionHandler(disposition, credential)
    } next: { task in
      DelegateMethod.didReceiveSessionChallenge.isLeftOut(by: self)
      task.continueChallenge(after: self, challenge, completionHandler)
    }
  }
}
