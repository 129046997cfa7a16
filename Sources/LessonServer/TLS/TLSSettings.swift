// SPDX-License-Identifier: Apache-2.0

/// How a lesson server speaks TLS: which certificate it shows and which protocols it offers.
public struct TLSSettings: Sendable {
  /// The version or cipher that is spoken; all but the first three are refused by careful clients.
  public enum Offer: String, Sendable, CaseIterable {
    /// TLS 1.2 and 1.3.
    case modern
    /// TLS 1.2 alone.
    case tls12
    /// TLS 1.3 alone.
    case tls13
    /// TLS 1.1 alone.
    case tls11
    /// TLS 1.0 alone.
    case tls10
    /// TLS 1.2 without encryption.
    case nullCipher
    /// TLS 1.2 without a certificate.
    case anonymous
    /// TLS 1.2 with a key exchange over a group of 1024 bits.
    case smallGroup
  }

  /// The certificate shown to clients; all but `trusted`, `manyNames` and `reversedChain` are faults of one kind.
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
    /// For the right names, signed by an authority that no client knows.
    case unknownAuthority
    /// Signed by the authority, with localhost as its common name and no alternative name.
    case noSAN
    /// Signed by an authority in between whose time is over.
    case expiredIntermediate
    /// Signed by an authority in between that is not shown.
    case missingIntermediate
    /// Signed by another server's certificate, which is no authority.
    case signedByServer
    /// Signed by an authority in between that may sign for wrong.example alone.
    case outsideOfNames
    /// Like `trusted`, but for clients.
    case clientOnly
    /// Like `trusted`, with an RSA key of 1024 bits.
    case smallKey
    /// Like `trusted`, but signed over a SHA-1 hash.
    case sha1
    /// Like `trusted`, with 5,000 names more.
    case manyNames
    /// Signed by an authority in between, with the authorities in the wrong order.
    case reversedChain
  }

  /// True if the server asks clients for a certificate of their own; the authority decides which are good.
  public enum ClientCertificate: String, Sendable, CaseIterable {
    /// The server asks for none.
    case none
    /// The server asks for one, and serves clients without it, too.
    case wanted
    /// The server refuses clients without a good one.
    case required
  }

  /// The certificate shown.
  public var leaf: Leaf
  /// True if clients have to show a certificate.
  public var clientCertificate = ClientCertificate.none
  /// The versions and suites that the server speaks.
  public var offer = Offer.modern
  /// The names in the certificate, as OpenSSL writes them (`DNS:localhost,IP:127.0.0.1`), in place of those of its
  /// kind.
  public var names: String?
  /// The authority that signs it; clients trust its PEM.
  public var authority: CertificateAuthority
  /// The protocols that are offered by ALPN, best first; with none of the client's among them no protocol is named.
  /// Scripts of raw bytes need `http/1.1` alone.
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
