// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Transport

/// A challenge that can be answered, and how.
struct ChallengeOffer: Equatable, Sendable {
  /// The scheme with what its answer needs.
  enum Scheme: Equatable, Sendable {
    /// RFC 7617.
    case basic
  }

  var space: ChallengeSpace
  var scheme: Scheme

  /// The offers of a response, one for each protection space, the strongest first. Schemes that are not spoken here,
  /// such as those that bind a connection to a user (Negotiate, NTLM), are passed over.
  static func offers(in challenges: [HTTPChallenge], from origin: Origin) -> [ChallengeOffer] {
    var offers: [ChallengeOffer] = []
    for challenge in challenges {
      guard let offer = ChallengeOffer(challenge, from: origin) else { continue }
      if !offers.contains(where: { $0.space == offer.space }) { offers.append(offer) }
    }
    return offers
  }

  private init?(_ challenge: HTTPChallenge, from origin: Origin) {
    switch challenge.scheme {
    case "basic":
      space = ChallengeSpace(origin: origin, realm: challenge["realm"], method: NSURLAuthenticationMethodHTTPBasic)
      scheme = .basic
    default: return nil
    }
  }

  /// Whether this credential can be sent as an answer.
  func accepts(_ credential: URLCredential) -> Bool {
    guard let user = credential.user, credential.password != nil else { return false }
    switch scheme {
    // RFC 7617 section 2: the first colon ends the user's name.
    case .basic: return !user.utf8.contains(UInt8(ascii: ":"))
    }
  }

  /// The value of the Authorization field; nil when the credential is none for this offer.
  func authorization(_ credential: URLCredential) -> String? {
    guard accepts(credential), let user = credential.user, let password = credential.password else { return nil }
    switch scheme {
    case .basic: return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }
  }
}
