// SPDX-License-Identifier: Apache-2.0

/// How a lesson server speaks TLS: which certificate it shows and which protocols it offers.
public struct TLSSettings: Sendable {
  /// The certificate shown to clients; all but `trusted` are faults of one kind.
  public enum Leaf: String, Sendable, CaseIterable {
    /// Signed by the authority, for localhost, 127.0.0.1 and ::1, valid now.
    case trusted
    /// Like `trusted`, but its time is over since yesterday.
    case expired
    /// Like `trusted`, but its time begins tomorrow.
    case notYetValid
    /// Like `trusted`, but for wrong.example.
    case wrongHost
    /// For the right names, signed with its own key.
    case selfSigned
    /// For the right names, signed by an authority nobody knows.
    case unknownAuthority
    /// Signed by the authority, with localhost as its common name and no alternative name.
    case noSAN
  }

  /// Whether clients are asked for a certificate of their own; the authority decides which are good.
  public enum ClientCertificate: String, Sendable, CaseIterable {
    /// Nobody is asked.
    case none
    /// Clients are asked, and served without one, too.
    case wanted
    /// Clients without a good one are refused.
    case required
  }

  /// The certificate shown.
  public var leaf: Leaf
  /// What is asked of clients.
  public var clientCertificate = ClientCertificate.none
  /// Whether TLS 1.2 is the newest version spoken.
  public var isLimitedToTLS12 = false
  /// Who signs it; clients trust its PEM.
  public var authority: CertificateAuthority
  /// What is offered by ALPN, best first; with none of the client's among them no protocol is named. Scripts of raw
  /// bytes need `http/1.1` alone.
  public var protocols: [String]

  /// Settings with a certificate of this kind from this authority.
  public init(
    leaf: Leaf = .trusted, authority: CertificateAuthority, protocols: [String] = ["h2", "http/1.1"]
  ) {
    self.leaf = leaf
    self.authority = authority
    self.protocols = protocols
  }
}
