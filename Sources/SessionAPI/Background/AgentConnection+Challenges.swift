// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Delivery
import Foundation
import URLLoading

/// Challenges that the agent's loads met, and how the delegates answer them.
extension AgentConnection {
  /// On the connection's queue.
  func challenged(_ key: UUID, _ record: ChallengeRecord) {
    guard let task = entries[key]?.task else { return say(.answer(key, record.key, .performDefault)) }
    task.ask(record) { [self] reply in
      queue.async { self.say(.answer(key, record.key, reply)) }
    }
  }
}

extension URLSessionTask {
  fileprivate func ask(_ record: ChallengeRecord, then answer: @escaping @Sendable (ChallengeReply) -> Void) {
    guard delegates.session != nil else { return answer(.performDefault) }
    mailbox.post { [self] in
      guard isWanted else { return }
      let sender = TaskChallenge(of: self) { reply, _ in answer(ChallengeReply(reply, to: record)) }
      let response = record.response.flatMap { LoadedResponse($0) }
      let proposed = record.proposed.map {
        URLCredential(user: $0.user, password: $0.password, persistence: .forSession)
      }
      let challenge = URLAuthenticationChallenge(
        protectionSpace: record.protectionSpace, proposedCredential: proposed, previousFailureCount: record.failures,
        failureResponse: response, error: nil, sender: sender)
      route(challenge) { sender.answer($0, $1) }
    }
  }
}

extension ChallengeRecord {
  fileprivate var protectionSpace: URLProtectionSpace {
    if let certificates { return .make(serverAt: host, port: port, certificates: certificates) }
    guard isProxy else {
      return URLProtectionSpace(
        host: host, port: port, protocol: scheme, realm: realm, authenticationMethod: method)
    }
    return URLProtectionSpace(
      proxyHost: host, port: port, type: NSURLProtectionSpaceHTTPProxy, realm: realm, authenticationMethod: method)
  }
}

extension ChallengeReply {
  /// A credential that is none for this challenge counts as the load counts it: a server is not trusted, and where a
  /// password is wanted there is none.
  fileprivate init(_ answer: ChallengeAnswer, to record: ChallengeRecord) {
    switch answer {
    case .use(let credential):
      if let certificates = record.certificates {
        self = credential?.trusts(certificates) == true ? .trustServer : .performDefault
      } else if let user = credential?.user, let password = credential?.password {
        self = .use(CredentialRecord(user: user, password: password))
      } else {
        self = .useNone
      }
    case .performDefault: self = .performDefault
    case .rejectSpace: self = .rejectSpace
    case .cancel: self = .cancel
    }
  }
}
