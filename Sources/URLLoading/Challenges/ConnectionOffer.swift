// SPDX-License-Identifier: Apache-2.0
import FoundationNetworking
import Transport

/// Schemes that log in a connection in place of a request: NTLM, which libcurl carries out unless it is built without it, and
/// Negotiate, which nothing does here.
extension ChallengeOffer {
  /// True if the scheme is one of them.
  var bindsConnection: Bool {
    switch scheme {
    case .ntlm, .negotiate: true
    case .basic, .digest: false
    }
  }

  /// True if a credential for the scheme is carried out.
  private var isCarriedOut: Bool {
    switch scheme {
    case .ntlm: CurlFacts.carriesOutNTLM
    case .negotiate: false
    case .basic, .digest: true
    }
  }

  /// True if the answer counts as one that rejects the space, so that the client is asked about the next offer. Servers
  /// name these schemes beside others, and a default that has nothing to send here may have something there.
  func leavesToNext(_ answer: ChallengeAnswer, hasProposal: Bool) -> Bool {
    guard bindsConnection else { return false }
    return switch answer {
    case .use(let credential): credential != nil && !isCarriedOut
    case .performDefault: !hasProposal || !isCarriedOut
    default: false
    }
  }

  /// The user that this credential logs in on the connection; nil where a field of the request says it.
  func login(_ credential: URLCredential) -> ConnectionLogin? {
    guard bindsConnection, isCarriedOut, accepts(credential), let user = credential.user,
      let password = credential.password
    else { return nil }
    return ConnectionLogin(user: user, password: password)
  }
}
