// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Transport

/// How a connection for bytes goes over to TLS, on the I/O thread. The client is asked about the server's certificate, and for
/// one of its own, as for a request over https; but here one handshake waits for the answers.
extension Load {
  /// Speaks TLS from here on: behind all that was sent, which must have gone, and all that came. `loadSecured(_:)` says when
  /// something can be sent again. Bytes that the server sent before are no TLS, and make it fail with -1200.
  package func secure() {
    guard machine.isExchanging, link.isOpen, !link.isSecured, let url = currentURL,
      let address = try? RequestRules.address(of: currentRequest)
    else { return }
    link.isSecured = true
    var wanted = bare("https" + address.dropFirst(4), url)
    wanted.versions = context.configuration.tlsVersions
    shakeHands(wanted)
  }

  /// Begins with the handshake, or goes on with it, unless somebody has to be asked before.
  func shakeHands(_ wanted: TransferRequest) {
    var wanted = wanted
    if transport(for: &wanted) != nil { transfer?.secure(as: wanted) }
  }

  /// A transfer that is over leaves its place; a handshake that waits keeps it.
  func leaveTransfer() {
    if !link.isSecured { transfer = nil }
  }

  package func transferSecured(_ transfer: Transfer) {
    guard machine.isExchanging, self.transfer === transfer else { return }
    client?.loadSecured(self)
  }

  package func transfer(_ transfer: Transfer, waitsFor decision: TransferFailure) {
    guard machine.isExchanging, self.transfer === transfer else { return }
    if !asks(after: transfer, decision) { end(error(for: decision, of: transfer)) }
  }
}
