// SPDX-License-Identifier: Apache-2.0
import CCurl

/// A transfer's knowledge of the other side of its TLS connection, on the I/O thread.
extension Transfer {
  /// The name or address in the URL, without brackets.
  var host: String {
    let authority = origin.drop { $0 != ":" }.dropFirst(3)
    return authority.first == "["
      ? String(authority.dropFirst().prefix { $0 != "]" }) : String(authority.prefix { $0 != ":" })
  }

  /// The certificates that the server showed in the connection's handshake, in DER, its own first; empty without one.
  /// On the I/O thread.
  public var peerCertificates: [[UInt8]] { judge?.certificates ?? [] }

  /// The names of the authorities whose certificates the server accepts from its client, in DER. On the I/O thread.
  public var acceptedAuthorities: [[UInt8]] { judge?.acceptedAuthorities ?? [] }

  /// True if the server asked for a certificate and the client has to choose one first.
  var isIdentityUndecided: Bool {
    if case .ask = request.identityPolicy { judge?.acceptedAuthorities != nil } else { false }
  }

  func clientFault(_ code: CURLcode) -> TransferFailure.Cause? {
    guard let judge, hasMadeConnection, machine.head == nil else { return nil }
    switch code {
    case CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2,
      CURLE_HTTP2_STREAM, CURLE_OK:
      return judge.clientFault
    // libcurl's word also for a server's alert that the client's certificate is too old.
    case CURLE_PEER_FAILED_VERIFICATION: return judge.hasAccepted ? judge.clientFault : nil
    default: return nil
    }
  }
}
