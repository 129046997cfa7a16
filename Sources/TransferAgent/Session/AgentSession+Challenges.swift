// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Locking
import URLLoading

/// A challenge that waits for an answer of the client.
struct OpenChallenge {
  let record: ChallengeRecord
  let challenge: LoadChallenge
  let transfer: AgentTransfer
}

/// Challenges are put to the client while there is one. Without a client default handling decides, unless the client has
/// answered a challenge of the same task before: what it gave then is used again, and where this process does not have it
/// the task waits for a client. Else a task that a new agent resumes would end with a 401, or with a server that is not
/// trusted.
extension AgentSession {
  func challenged(_ challenge: LoadChallenge, of key: UUID, by transfer: AgentTransfer) {
    let record = ChallengeRecord(challenge)
    // A server that wants a certificate of the client's gets none: its key does not travel.
    guard ChallengeMethod(name: record.method) != .clientCertificate else {
      return transfer.answer(challenge, .performDefault)
    }
    let open = OpenChallenge(record: record, challenge: challenge, transfer: transfer)
    if channel != nil {
      challenges[key] = open
      send(.challenge(key, record))
    } else if challenge.failures == 0, let credential = credentials[record.place] {
      transfer.answer(challenge, .use(URLCredential(credential)))
    } else if journal.tasks[key]?.needsClient == true {
      challenges[key] = open
    } else {
      transfer.answer(challenge, .performDefault)
    }
  }

  /// The client's answer; one to an earlier challenge does nothing.
  func answer(_ key: UUID, _ challenge: UUID, _ reply: ChallengeReply) {
    guard let open = challenges[key], open.record.key == challenge else { return }
    challenges[key] = nil
    switch reply {
    case .use(let credential):
      credentials[open.record.place] = credential
      change(key) { $0.needsClient = true }
      open.transfer.answer(open.challenge, .use(URLCredential(credential)))
    case .trustServer:
      change(key) { $0.needsClient = true }
      let credential = open.challenge.space.serverTrust.map { URLCredential(trust: $0) }
      open.transfer.answer(open.challenge, credential.map { .use($0) } ?? .performDefault)
    case .performDefault: open.transfer.answer(open.challenge, .performDefault)
    case .useNone: open.transfer.answer(open.challenge, .use(nil))
    case .rejectSpace: open.transfer.answer(open.challenge, .rejectSpace)
    case .cancel: open.transfer.answer(open.challenge, .cancel(.cancelled))
    }
  }

  /// The client has gone without an answer.
  func answerByDefault() {
    for (key, open) in challenges where journal.tasks[key]?.needsClient != true {
      challenges[key] = nil
      open.transfer.answer(open.challenge, .performDefault)
    }
  }

  /// Puts the open challenges to a new client.
  func repeatChallenges() {
    for (key, open) in challenges { send(.challenge(key, open.record)) }
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
    let chain = space.serverTrust.flatMap { SecTrustCopyCertificateChain($0) as? [SecCertificate] }
    certificates = chain?.map { SecCertificateCopyData($0) }
  }

  /// What a credential is good for.
  fileprivate var place: String { "\(isProxy) \(scheme ?? "") \(host):\(port) \(method) \(realm ?? "")" }
}
