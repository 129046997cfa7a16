// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Transport

/// A challenge that can be answered, and how.
struct ChallengeOffer: Equatable, Sendable {
  /// The scheme with what its answer needs.
  enum Scheme: Equatable, Sendable {
    /// RFC 7617. `isUnicode` where the server takes name and password in the Normalization Form C (section 2.1).
    case basic(isUnicode: Bool)
    /// RFC 7616.
    case digest(DigestChallenge)
    /// [MS-NLMP]: the connection is logged in, by libcurl.
    case ntlm
    /// RFC 4559. libcurl would answer with the system's ticket, whichever user the credential names; so the load does not answer.
    case negotiate
  }

  var space: ChallengeSpace
  var scheme: Scheme

  /// The offers of a response, one for each protection space, the strongest first. Schemes that are not spoken here are
  /// passed over.
  static func offers(in challenges: [HTTPChallenge], from origin: Origin) -> [ChallengeOffer] {
    var offers: [ChallengeOffer] = []
    let possible = challenges.compactMap { ChallengeOffer($0, from: origin) }
    for strength in (1...5).reversed() {
      for offer in possible where offer.strength == strength {
        if !offers.contains(where: { $0.space == offer.space }) { offers.append(offer) }
      }
    }
    return offers
  }

  private var strength: Int {
    switch scheme {
    case .basic: 1
    case .digest(let digest): digest.hash == .md5 ? 2 : 3
    case .ntlm: 4
    case .negotiate: 5
    }
  }

  /// True if the server wants nothing but a new answer with the same credential.
  var isStale: Bool { if case .digest(let digest) = scheme { digest.isStale } else { false } }

  /// True if the answer is one to the whole body, too.
  var protectsBody: Bool { if case .digest(let digest) = scheme { digest.quality == .authInt } else { false } }

  /// True if what is right for one path is right for the whole origin (RFC 7616 section 3.3).
  var coversOrigin: Bool { if case .digest(let digest) = scheme { digest.coversOrigin } else { false } }

  private init?(_ challenge: HTTPChallenge, from origin: Origin) {
    switch challenge.scheme {
    case .basic:
      let method = NSURLAuthenticationMethodHTTPBasic
      let realm = ChallengeSpace.realm(challenge["realm"], at: origin.host, method)
      space = ChallengeSpace(origin: origin, realm: realm, method: method)
      scheme = .basic(isUnicode: challenge["charset"]?.lowercased() == "utf-8")
    case .digest:
      guard let digest = DigestChallenge(challenge) else { return nil }
      space = ChallengeSpace(origin: origin, realm: digest.realm, method: NSURLAuthenticationMethodHTTPDigest)
      scheme = .digest(digest)
    case .ntlm, .negotiate:
      // The token behind the name belongs to a login that is under way.
      guard challenge.token68 == nil, challenge.parameters.isEmpty else { return nil }
      let isNTLM = challenge.scheme == .ntlm
      let method = isNTLM ? NSURLAuthenticationMethodNTLM : NSURLAuthenticationMethodNegotiate
      space = ChallengeSpace(origin: origin, realm: nil, method: method)
      scheme = isNTLM ? .ntlm : .negotiate
    case .other: return nil
    }
  }

  /// True if this credential can be sent as an answer.
  func accepts(_ credential: URLCredential) -> Bool {
    guard let user = credential.user, credential.password != nil,
      !user.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else { return false }
    switch scheme {
    // RFC 7617 section 2: the first colon ends the user's name.
    case .basic: return !user.utf8.contains(UInt8(ascii: ":"))
    case .digest, .ntlm: return true
    case .negotiate: return false
    }
  }

  /// The value of the Authorization field for a request of this method to this target; nil when the credential is none for
  /// this offer. `body` is nil where the caller does not have its bytes, but perhaps their hash.
  func authorization(
    _ credential: URLCredential, method: String, target: @autoclosure () -> String, body: Data? = Data(),
    bodyHash: String? = nil, counting nonces: inout NonceCounter
  ) -> String? {
    guard accepts(credential), let user = credential.user, let password = credential.password else { return nil }
    switch scheme {
    case .basic(let isUnicode):
      let text = isUnicode ? "\(user.precomposed):\(password.precomposed)" : "\(user):\(password)"
      return "Basic " + Data(text.utf8).base64EncodedString()
    case .digest(let digest):
      let (count, clientNonce) = nonces.next(digest.nonce, of: space.origin)
      return digest.authorization(
        user: user, password: password,
        .init(method: method, target: target(), count: count, clientNonce: clientNonce, body: body, bodyHash: bodyHash))
    case .ntlm, .negotiate: return nil
    }
  }
}

extension TransferRequest {
  /// The body where it lies in memory; nil where it is read as it is sent.
  var knownBody: Data? {
    switch body {
    case .none: Data()
    case .bytes(let data): data
    case .source: nil
    }
  }
}
