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
      guard unsafe isSigned(subject, by: issuer) else { break }
      unsafe issuers.append(PeerCertificates.der(issuer))
      unsafe subject = issuer
    }
    return issuers
  }

  /// X509_verify refuses a certificate that names its algorithm in two ways, with parameters and without, whatever the signature is
  /// (RFC 5280 section 4.1.1.2). It is never trusted, but it is signed: Apple's tools made such ones.
  private static func isSigned(_ subject: OpaquePointer, by issuer: OpaquePointer) -> Bool {
    let key = unsafe X509_get0_pubkey(issuer)
    if unsafe X509_verify(subject, key) == 1 { return true }
    var digest: Int32 = 0
    var signature: UnsafePointer<ASN1_BIT_STRING>?
    unsafe X509_get0_signature(&signature, nil, subject)
    // The copy is encoded anew, as nothing that is still needed may be.
    guard let key = unsafe key, unsafe OBJ_find_sigid_algs(X509_get_signature_nid(subject), &digest, nil) == 1,
      let method = unsafe EVP_get_digestbyname(OBJ_nid2sn(digest)), let signature = unsafe signature,
      let copy = unsafe X509_dup(subject), let context = unsafe EVP_MD_CTX_new()
    else { return false }
    defer {
      unsafe EVP_MD_CTX_free(context)
      unsafe X509_free(copy)
    }
    guard let content = unsafe PeerCertificates.encoding({ unsafe i2d_re_X509_tbs(copy, $0) }),
      unsafe EVP_DigestVerifyInit(context, nil, method, nil, key) == 1
    else { return false }
    let length = unsafe Int(ASN1_STRING_length(signature))
    return unsafe EVP_DigestVerify(context, ASN1_STRING_get0_data(signature), length, content, content.count) == 1
  }
}
