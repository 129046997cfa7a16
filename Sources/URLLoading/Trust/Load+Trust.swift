// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Transport

/// How a client has a say about a server's certificate, before any byte of a request is sent.
///
/// libcurl cannot wait in the midst of a handshake. So a first connection only has the server show its certificates and
/// ends there; the client is asked; the request goes out on a second one, whose server must show the same certificate.
/// Later loads are asked about what was shown last, without the first connection.
extension Load {
  /// The connections over which `request` goes out now; nil when it is held until the client has decided.
  func transport(for request: inout TransferRequest) -> Transport? {
    if request.use != .exchange { challenges.held = request }
    guard request.isSecure, let client, let origin = Origin(URL(string: request.url)) else {
      return context.transport
    }
    challenges.held = request
    let (remembered, shown) = context.peers.withLock { peers in
      (client.remembersTrust ? peers.decision(on: origin) : nil, peers.certificates(of: origin))
    }
    let order = challenges.peer.wanted(
      origin, hasClient: client.decidesTrust, remembered: remembered, shown: shown)
    switch order {
    case .send(let policy):
      request.peerPolicy = policy
      return chooseIdentity(for: &request, to: origin, client)
    case .ask(let certificates): ask(about: certificates, of: origin)
    case .look: look(for: request)
    }
    return nil
  }

  /// Has the server show its certificates. Nothing of the request is in this transfer.
  private func look(for request: TransferRequest) {
    if connection.isSecured {
      var request = request
      request.peerPolicy = .show
      transfer?.secure(as: request)
      return
    }
    var bare = TransferRequest(url: request.url, method: "HEAD")
    bare.peerPolicy = .show
    (bare.proxy, bare.versions) = (request.proxy, request.versions)
    bare.idleTimeout = request.idleTimeout
    bare.totalTimeout = deadline.remaining
    bare.subject = subject
    transfer = context.transport.start(bare, consumer: self)
    note(.sourceStarted(.transfer))
  }

  /// Sends the request that was held.
  func startHeld(_ request: TransferRequest) {
    if connection.isSecured { return shakeHands(request) }
    note(.requestChosen)
    start(request)
  }

  /// A transfer that is over leaves its place; a handshake that waits keeps it.
  func leaveTransfer() {
    if !connection.isSecured { transfer = nil }
  }

  /// A transfer ended because nobody had decided about the certificate; false when it ended for another reason.
  func asksAboutPeer(of transfer: Transfer, after failure: TransferFailure) -> Bool {
    let certificates = transfer.peerCertificates
    guard failure.cause == .certificateUndecided, !certificates.isEmpty, let request = challenges.held,
      let origin = Origin(URL(string: request.url)), challenges.peer.shown(origin)
    else { return false }
    leaveTransfer()
    context.peers.withLock { $0.note(certificates, of: origin) }
    if client?.decidesTrust == true { ask(about: certificates, of: origin) } else { startHeld(request) }
    return true
  }

  private func ask(about certificates: [[UInt8]], of origin: Origin) {
    ask(
      LoadChallenge(
        number: machine.number + 1, space: TrustSpace(trust(certificates, of: origin.host), at: origin), proposed: nil,
        failures: 0, response: nil), .peer(origin, certificates.first ?? []))
  }

  func trust(_ certificates: [[UInt8]], of host: String) -> SecTrust {
    SecTrust(
      CertificateChain(certificates, host: host), trusting: context.configuration.authorities.map(Array.init))
  }

  /// The client answered. What is no acceptance of the very certificate shown leaves it to the system's judgement.
  func answered(_ answer: ChallengeAnswer, about origin: Origin, _ leaf: [UInt8]) {
    guard let request = challenges.held else { return }
    var accepts = false
    switch answer {
    case .use(let credential):
      let trust = (credential as? TrustCredential)?.trust
      accepts = trust?.chain.certificates.first == leaf && trust?.chain.host == origin.host
    case .rejectSpace:
      return end(
        LoadError.error(
          .serverCertificateUntrusted, url: currentURL, description: "The server's certificate was rejected."))
    case .performDefault, .cancel: break
    }
    let isFinal = client?.decidesTrust != true
    let policy = challenges.peer.decided(origin, leaf, accepts: accepts, isFinal: isFinal)
    if client?.remembersTrust == true, policy != .verify { context.peers.withLock { $0.note(policy, on: origin) } }
    startHeld(request)
  }
}
