// SPDX-License-Identifier: Apache-2.0
import COpenSSL

extension CertificateChain {
  /// The certificates that lead from the first one towards an authority, each signed by the next: as far as they do, trusted or
  /// not. Whatever else the server sent is not among them; an authority that it did not send is. Reads a file and takes some
  /// milliseconds.
  ///
  /// A server may add any certificate to its list, that of another's authority, too: it is public. Who looks for a pinned one
  /// looks here.
  public func path(
    trusting authorities: [UInt8]?, by rules: CertificateRules = CertificateRules()
  ) -> [[UInt8]] {
    let issuers = unsafe verified(trusting: authorities, by: rules) { context, leaf, _ in
      unsafe Self.issuers(of: leaf, in: X509_STORE_CTX_get0_chain(context))
    }
    return certificates.prefix(1) + (issuers ?? [])
  }

  /// Reads the list that OpenSSL has built, behind its first. It links by names, and checks signatures only where all else is well.
  private static func issuers(of leaf: OpaquePointer, in chain: OpaquePointer?) -> [[UInt8]] {
    var issuers: [[UInt8]] = []
    var subject = unsafe leaf
    for index in unsafe 1..<max(1, OPENSSL_sk_num(chain)) {
      guard let pointer = unsafe OPENSSL_sk_value(chain, index) else { break }
      let issuer = OpaquePointer(pointer)
      guard unsafe X509_verify(subject, X509_get0_pubkey(issuer)) == 1 else { break }
      unsafe issuers.append(PeerCertificates.der(issuer))
      unsafe subject = issuer
    }
    return issuers
  }
}
