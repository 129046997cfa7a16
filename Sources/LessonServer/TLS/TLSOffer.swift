// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// OpenSSL's settings of versions and suites. The suites of RC4 and Triple DES, and SSL 3, cannot be offered: the
/// system's OpenSSL is built without them.
extension TLSSettings.Offer {
  func apply(to context: OpaquePointer) {
    let (oldest, newest) = versions
    // Level 0 lets pass what has been broken (SSL_CTX_set_security_level(3)).
    if isWeak { SSL_CTX_set_security_level(context, 0) }
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(oldest), nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(newest), nil)
    if let suites { SSL_CTX_set_cipher_list(context, suites) }
    if self == .smallGroup { Self.useSmallGroup(in: context) }
  }

  private var versions: (CInt, CInt) {
    switch self {
    case .modern: (TLS1_2_VERSION, TLS1_3_VERSION)
    case .tls13: (TLS1_3_VERSION, TLS1_3_VERSION)
    case .tls12, .nullCipher, .anonymous, .smallGroup: (TLS1_2_VERSION, TLS1_2_VERSION)
    case .tls11: (TLS1_1_VERSION, TLS1_1_VERSION)
    case .tls10: (TLS1_VERSION, TLS1_VERSION)
    }
  }

  private var isWeak: Bool {
    switch self {
    case .modern, .tls12, .tls13: false
    case .tls11, .tls10, .nullCipher, .anonymous, .smallGroup: true
    }
  }

  private var suites: String? {
    switch self {
    case .nullCipher: "ECDHE-ECDSA-NULL-SHA"
    case .anonymous: "AECDH-AES128-SHA"
    case .smallGroup: "DHE-RSA-AES128-GCM-SHA256"
    case .modern, .tls12, .tls13, .tls11, .tls10: nil
    }
  }

  /// The group of RFC 2409 section 6.2, 1024 bits.
  private static func useSmallGroup(in context: OpaquePointer) {
    let text = """
      -----BEGIN DH PARAMETERS-----
      MIGHAoGBAP//////////yQ/aoiFowjTExmKLgNwc0SkCTgiKZ8x0Agu+pjsTmyJR
      Sgh5jjQE3e+VGbPNOkMbMCsKbfJfFDdP4TVtbVHCReSFtXZiXn7G9ExC6aY37WsL
      /1y29Aa37e44a/taiZ+lrp8kEXxLH+ZJKGZR7OZTgf//////////AgEC
      -----END DH PARAMETERS-----

      """
    text.withCString { text in
      let memory = BIO_new_mem_buf(text, -1)
      defer { BIO_free(memory) }
      guard let group = PEM_read_bio_Parameters(memory, nil) else { return }
      // It is the context's from now on, unless this fails.
      if SSL_CTX_set0_tmp_dh_pkey(context, group) != 1 { EVP_PKEY_free(group) }
    }
  }
}
