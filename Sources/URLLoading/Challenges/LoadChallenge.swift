// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import FoundationNetworking

/// A server or a proxy asks for a credential, or presents a certificate; the load asks its client.
package struct LoadChallenge: Sendable {
  /// Distinguishes an answer to this challenge from a late one to another.
  let number: Int
  /// The space that a credential would be good for.
  package let space: URLProtectionSpace
  /// The credential that default handling would use: from the URL or the storage, or the one that was refused last; nil for
  /// nothing.
  package let proposed: URLCredential?
  /// How often a credential of this load was refused for this space.
  package let failures: Int
  /// The 401 that led to it, if one did.
  package let response: HTTPURLResponse?

  /// The challenge as users see it.
  package func makeChallenge(sender: any URLAuthenticationChallengeSender) -> URLAuthenticationChallenge {
    URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: proposed, previousFailureCount: failures, failureResponse: response,
      error: nil, sender: sender)
  }
}

/// The answer of a client to a challenge.
package enum ChallengeAnswer: Sendable {
  /// Continue with this credential, or without one.
  case use(URLCredential?)
  /// As without a delegate.
  case performDefault
  /// Not in this protection space; ask about the next one that the server offers.
  case rejectSpace
  /// End the load with this code.
  case cancel(URLError.Code)
}
