// SPDX-License-Identifier: Apache-2.0
import Delivery
public import URLLoading

/// The calls that every delegate of a connection may get: its failure and its challenges.
///
/// All methods are optional, as on Apple's systems; here that is done by default bodies, since optional requirements
/// need the Objective-C runtime. Two consequences differ from Apple's. A subclass that adds a method which the class
/// with the conformance did not write is never called: write every method in the class that conforms. And an object
/// that has the methods without declaring the conformance is not called at all.
public protocol NSURLConnectionDelegate: NSObjectProtocol {
  /// The load ended without success. Called at most once, as the last call, in the place the connection is scheduled.
  ///
  /// A 404 or any other HTTP status is a response and no failure. Where the load fails in mid body, the delegate keeps
  /// the pieces it got before.
  /// - Parameters:
  ///   - connection: The connection.
  ///   - error: A `URLError`; its `userInfo` carries the URL that failed.
  func connection(_ connection: NSURLConnection, didFailWithError error: any Error)

  /// True if the load may look for credentials in `URLCredentialStorage.shared` and keep there, and for later loads,
  /// what a server accepted. Asked once, before anything else. Not implemented: true.
  func connectionShouldUseCredentialStorage(_ connection: NSURLConnection) -> Bool

  /// A server asks for credentials, or presents its certificate. The load waits until one of the five methods of
  /// `challenge.sender` is called, now or later, from any thread; the first answer counts. No idle time runs meanwhile:
  /// without an answer the load waits until its total time is over.
  ///
  /// Challenges come one at a time: for each protection space of one response, the strongest method first. A credential
  /// that is refused leads to the next challenge, with `previousFailureCount` one higher. Difference from Apple: the
  /// same refused credential, given again and again, ends with the 401 as the response after five times.
  ///
  /// A server's trust is asked about before anything is sent to it, also where the system trusts it, and the decision
  /// binds to the certificates shown: `protectionSpace.serverTrust`. `use(_:for:)` with `URLCredential(trust:)` accepts
  /// them; every other credential, none, and default handling leave it to the system. Difference from Apple: each
  /// connection object is asked for itself, also where a socket is used again.
  ///
  /// Not implemented: the three methods below are asked instead. Implemented, it is the only one that is called.
  func connection(_ connection: NSURLConnection, willSendRequestFor challenge: URLAuthenticationChallenge)

  /// True if the delegate will answer challenges for this protection space. Not implemented: true, but false for a
  /// server's trust and for client certificates. false leads to default handling: a credential from the URL or the
  /// storage, or none.
  func connection(
    _ connection: NSURLConnection, canAuthenticateAgainstProtectionSpace protectionSpace: URLProtectionSpace
  ) -> Bool

  /// Like `connection(_:willSendRequestFor:)`, for protection spaces that the method above allowed. Not implemented:
  /// default handling.
  func connection(_ connection: NSURLConnection, didReceive challenge: URLAuthenticationChallenge)

  /// The load gave up while this challenge waited for its answer, which has no effect any more. The failure follows.
  /// Not called when the connection is cancelled.
  func connection(_ connection: NSURLConnection, didCancel challenge: URLAuthenticationChallenge)
}

extension NSURLConnectionDelegate {
  /// Not implemented: the failure goes unnoticed.
  public func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    connection.load.noteLeftOut("connection(_:didFailWithError:)")
  }

  /// Not implemented: it may.
  public func connectionShouldUseCredentialStorage(_ connection: NSURLConnection) -> Bool {
    DelegateMethod.shouldUseCredentialStorage.isMissing(in: self)
    return true
  }

  /// Not implemented: the older methods are called.
  public func connection(_ connection: NSURLConnection, willSendRequestFor challenge: URLAuthenticationChallenge) {
    DelegateMethod.willSendRequestFor.isLeftOut(by: self)
    connection.askLegacy(self, challenge)
  }

  /// Not implemented: names and passwords are the delegate's business, TLS is the system's.
  public func connection(
    _ connection: NSURLConnection, canAuthenticateAgainstProtectionSpace protectionSpace: URLProtectionSpace
  ) -> Bool {
    DelegateMethod.canAuthenticate.isLeftOut(by: self)
    return ChallengeMethod(protectionSpace)?.isTLS != true
  }

  /// Not implemented: default handling.
  public func connection(_ connection: NSURLConnection, didReceive challenge: URLAuthenticationChallenge) {
    DelegateMethod.didReceiveChallenge.isMissing(in: self)
    challenge.sender?.performDefaultHandling(for: challenge)
  }

  /// Not implemented: the cancel goes unnoticed.
  public func connection(_ connection: NSURLConnection, didCancel challenge: URLAuthenticationChallenge) {
    DelegateMethod.didCancelChallenge.isMissing(in: self)
  }
}
