// SPDX-License-Identifier: Apache-2.0

/// The requirement on a server's certificate for a request to be sent. There is no way to do without one.
public enum PeerPolicy: Sendable, Hashable {
  /// It leads to a trusted authority and is for this host (RFC 9110 section 4.3.4).
  case verify
  /// None is good enough: the transfer ends with `TransferFailure.Cause.certificateUndecided` once the server has shown
  /// its certificates (`Transfer.peerCertificates`), and nothing of the request is sent.
  case show
  /// It is this one, in DER, byte for byte; with `verifies` it must pass `verify`, too. Another one ends the transfer as
  /// `show` does. Connections are shared only with transfers of the very same policy.
  case only([UInt8], verifies: Bool)
}
