// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// Challenges between a load and its task, which decides who answers (`AgentTask`).
extension AgentSession {
  func challenged(_ challenge: LoadChallenge, of key: UUID, by transfer: AgentTransfer) {
    let record = ChallengeRecord(challenge)
    // A server that wants a certificate of the client's gets none: its key does not travel.
    guard ChallengeMethod(name: record.method) != .clientCertificate else {
      return transfer.answer(challenge, .performDefault)
    }
    tasks[key]?.challenge = challenge
    handle(.challenged(record, known: credentials[record.place]), of: key)
  }

  /// Answers a load, and remembers what the client gave.
  func answer(_ record: ChallengeRecord, _ reply: ChallengeReply, of key: UUID) {
    guard let transfer = tasks[key]?.transfer, let challenge = tasks[key]?.challenge.take() else { return }
    switch reply {
    case .use(let credential):
      credentials[record.place] = credential
      transfer.answer(challenge, .use(URLCredential(credential)))
    case .trustServer:
      let credential = challenge.space.serverTrust.map { URLCredential(trust: $0) }
      transfer.answer(challenge, credential.map { .use($0) } ?? .performDefault)
    case .performDefault: transfer.answer(challenge, .performDefault)
    case .useNone: transfer.answer(challenge, .use(nil))
    case .rejectSpace: transfer.answer(challenge, .rejectSpace)
    case .cancel: transfer.answer(challenge, .cancel(.cancelled))
    }
  }
}

extension URLCredential {
  fileprivate convenience init(_ record: CredentialRecord) {
    self.init(user: record.user, password: record.password, persistence: .none)
  }
}

extension ChallengeRecord {
  init(_ challenge: LoadChallenge) {
    let space = challenge.space
    self.init(
      key: UUID(), host: space.host, port: space.port, scheme: space.protocol, realm: space.realm,
      method: space.authenticationMethod, isProxy: space.isProxy())
    if let user = challenge.proposed?.user, let password = challenge.proposed?.password {
      proposed = CredentialRecord(user: user, password: password)
    }
    failures = challenge.failures
    response = challenge.response.flatMap { ResponseRecord($0) }
    certificates = space.serverTrust?.shown
  }

  /// The place that a credential is good for.
  fileprivate var place: String { "\(isProxy) \(scheme ?? "") \(host):\(port) \(method) \(realm ?? "")" }
}
