// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import Timeline
import URLLoading

/// How a connection's delegate is asked about credentials, where callbacks run.
extension ConnectionLoad {
  func load(_ load: Load, didReceive challenge: LoadChallenge) {
    guard active?.delegate.base != nil else { return load.answer(challenge, .performDefault) }
    delivery.post { [self] in deliver(challenge, of: load) }
  }

  /// A delegate is asked about a server unless it has left out each method that could answer.
  var decidesTrust: Bool {
    guard let delegate = active?.delegate.base else { return false }
    return !DelegateMethod.willSendRequestFor.isKnownToBeLeftOut(by: delegate)
      || !DelegateMethod.canAuthenticate.isKnownToBeLeftOut(by: delegate)
  }

  /// Asks whether the credential storage may be used.
  func asksForStorage(_ delegate: any NSURLConnectionDelegate, _ connection: NSURLConnection) -> Bool {
    call(.shouldUseCredentialStorage, delegate) { delegate.connectionShouldUseCredentialStorage(connection) }
  }

  private func deliver(_ challenge: LoadChallenge, of load: Load) {
    guard let (connection, delegate) = active, let base = delegate.base else { return }
    let sender = ChallengeSender(challenge, of: load)
    let shown = challenge.makeChallenge(sender: sender)
    openChallenge.withLock { $0 = (shown, sender) }
    call(.willSendRequestFor, base) { base.connection(connection, willSendRequestFor: shown) }
  }

  /// Asks the three older methods of a delegate that lacks the modern one (A.6).
  func askLegacy(
    _ delegate: any NSURLConnectionDelegate, _ connection: NSURLConnection, _ challenge: URLAuthenticationChallenge
  ) {
    let isItsBusiness = call(.canAuthenticate, delegate) {
      delegate.connection(connection, canAuthenticateAgainstProtectionSpace: challenge.protectionSpace)
    }
    guard isItsBusiness else {
      challenge.sender?.performDefaultHandling(for: challenge)
      return
    }
    call(.didReceiveChallenge, delegate) { delegate.connection(connection, didReceive: challenge) }
  }

  /// The load ends while a challenge waits for its answer: cancels the challenge at the delegate.
  func withdrawChallenge(_ connection: NSURLConnection, _ delegate: ConnectionDelegate) {
    let open = openChallenge.withLock { $0.take() }
    guard let open, !open.sender.isAnswered, let base = delegate.base else { return }
    call(.didCancelChallenge, base) { base.connection(connection, didCancel: open.challenge) }
  }

  @discardableResult
  private func call<Result>(
    _ method: DelegateMethod, _ delegate: any NSURLConnectionDelegate, _ call: () -> Result
  ) -> Result {
    method.run(on: delegate, announce: { Timeline.emit(method.event, subject: subject) }, call: call)
  }
}
