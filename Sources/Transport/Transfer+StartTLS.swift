// SPDX-License-Identifier: Apache-2.0
import CCurl
import CLinux
import Timeline

/// How a connection for bytes goes over to TLS in its midst.
extension Transfer {
  /// Begins with TLS behind all that was sent and received so far, or continues a handshake that waited for a decision. Of
  /// `wanted` count what decides about a server and how long the handshake may stand still. The consumer is called with
  /// `transferSecured(_:)`; nothing may be sent before. A failure ends the transfer. On the I/O thread only, on a connection
  /// for bytes over which nothing waits to be sent.
  public func secure(as wanted: TransferRequest) {
    Transport.assertOnThread()
    guard let rawSocket else { return }
    if let security = rawSocket.security {
      security.judge.decide(wanted.peerPolicy, wanted.identityPolicy)
    } else if pool.knowsAuthorities(or: { self.secure(as: wanted) }, for: self) {
      let judge = PeerJudge(wanted.peerPolicy, wanted.identityPolicy, host: host, suspendsHandshake: true)
      guard rawSocket.rest.isEmpty, !rawSocket.hasInputEnded,
        rawSocket.secure(judge, host: host, versions: wanted.versions, trusting: pool.authorities)
      else {
        return end(TransferFailure(.secureConnectionFailed, description: "TLS cannot begin on this connection."))
      }
      (self.judge, hasMadeConnection) = (judge, true)
      rawSocket.awaitsSecurity = false
    } else {
      rawSocket.awaitsSecurity = true
      pool.watch(rawSocket, of: self, for: 0)
    }
    machine.shakesHands(within: wanted.idleTimeout.map(MonotonicClock.nanoseconds), now: now)
    pool.checkNoLater(than: machine.deadline)
    // Not from within a consumer's call.
    pool.thread.post { [self] in readRawSocket() }
  }

  /// False when bytes cannot pass yet, or the transfer has ended.
  func shakeHands(_ rawSocket: RawSocket) -> Bool {
    guard !rawSocket.awaitsSecurity else { return false }
    guard let security = rawSocket.security, !security.isDone else { return true }
    guard !security.judge.isUndecided else { return false }
    switch security.shakeHands() {
    case .done:
      machine.handedOver()
      rawSocket.secured = MonotonicClock.now
      consumer.transferSecured(self)
    case .waits(let event):
      machine.moved(now: now)
      pool.watch(rawSocket, of: self, for: event.rawValue)
      return false
    case .undecided(let decision):
      machine.handedOver()
      pool.watch(rawSocket, of: self, for: 0)
      consumer.transfer(self, waitsFor: decision)
      return false
    case .failed(let failure):
      let cause = clientFault(CURLE_SSL_CONNECT_ERROR) ?? failure.cause
      end(TransferFailure(cause, curlCode: failure.curlCode, description: failure.description))
    }
    return self.rawSocket === rawSocket
  }
}
