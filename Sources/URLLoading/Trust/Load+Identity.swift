// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Transport

/// How a client is asked for a certificate of its own, after it has decided about the server's.
extension Load {
  /// What to show to the server at `origin`, and over which connections: those of one identity are never used with
  /// another, nor without.
  func chooseIdentity(for request: inout TransferRequest, to origin: Origin, _ client: any LoadClient) -> Transport {
    let remembered = client.remembersTrust ? context.peers.withLock { $0.identity(for: origin) } : nil
    let decided = challenges.identities[origin] ?? remembered.map { .some($0) }
    guard let decided else {
      if client.decidesTrust { request.identityPolicy = .ask }
      return context.transport
    }
    guard let identity = decided?.identity else { return context.transport }
    request.identityPolicy = .use(identity)
    return context.transport(for: identity, origin)
  }

  /// A transfer ended because the server asked for a certificate; false when it ended for another reason.
  func asksForIdentity(after transfer: Transfer, _ failure: TransferFailure) -> Bool {
    guard failure.cause == .identityUndecided, let request = challenges.held,
      let origin = Origin(URL(string: request.url))
    else { return false }
    leaveTransfer()
    ask(
      LoadChallenge(
        number: machine.number + 1, space: IdentitySpace(transfer.acceptedAuthorities, at: origin), proposed: nil,
        failures: 0, response: nil), .identity(origin))
    return true
  }

  /// The client answered. Without an identity the server decides whether it goes on.
  func answered(_ answer: ChallengeAnswer, forIdentityAt origin: Origin) {
    guard let request = challenges.held else { return }
    var identity: SecIdentity?
    if case .use(let credential as IdentityCredential) = answer {
      identity = credential.identity
      if client?.remembersTrust == true, credential.persistence != .none {
        context.peers.withLock { $0.note(credential.identity, for: origin) }
      }
    }
    challenges.identities[origin] = .some(identity)
    startHeld(request)
  }
}
