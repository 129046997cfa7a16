// SPDX-License-Identifier: Apache-2.0
import CCurl
import COpenSSL
import Glibc

/// Certificates as OpenSSL sees them, in and out of DER.
enum PeerCertificates {
  /// Lists the certificates that a server showed: its own, then the others it sent.
  static func chain(of store: OpaquePointer, _ leaf: OpaquePointer) -> [[UInt8]] {
    var chain = unsafe [der(leaf)]
    let others = unsafe X509_STORE_CTX_get0_untrusted(store)
    for index in unsafe 0..<max(0, OPENSSL_sk_num(others)) {
      guard let other = unsafe OPENSSL_sk_value(others, index) else { continue }
      let bytes = unsafe der(OpaquePointer(other))
      // OpenSSL counts the server's own among them.
      if !chain.contains(bytes) { chain.append(bytes) }
    }
    return chain
  }

  /// True if the certificate names this host among its alternative names; its common name counts for nothing, and an
  /// address is none of the names (RFC 9110 sections 4.3.4 and 4.3.5).
  static func isFor(_ host: String, _ certificate: OpaquePointer) -> Bool {
    if isAddress(host) { return unsafe X509_check_ip_asc(certificate, host, 0) == 1 }
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
    return unsafe X509_check_host(certificate, name, name.utf8.count, flags, nil) == 1
  }

  static func isAddress(_ host: String) -> Bool {
    var bytes = in6_addr()
    return unsafe inet_pton(AF_INET, host, &bytes) == 1 || inet_pton(AF_INET6, host, &bytes) == 1
  }

  static func der(_ certificate: OpaquePointer) -> [UInt8] {
    unsafe encoding { unsafe i2d_X509(certificate, $0) } ?? []
  }

  /// A distinguished name (RFC 5280 section 4.1.2.4).
  static func der(name: OpaquePointer) -> [UInt8] {
    unsafe encoding { unsafe i2d_X509_NAME(name, $0) } ?? []
  }

  /// Returns the bytes that one of OpenSSL's i2d functions writes. Without a place to write to, such a function returns
  /// the length.
  static func encoding(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
    let count = write(nil)
    guard count > 0 else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      var end = buffer.baseAddress
      filled = unsafe Int(max(0, write(&end)))
    }
  }

  /// The certificate in these bytes, to be freed by the caller; nil when they are none.
  static func make(_ der: [UInt8]) -> OpaquePointer? {
    unsafe der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe d2i_X509(nil, &start, bytes.count)
    }
  }

  /// Its public key with the algorithm, in DER (SubjectPublicKeyInfo).
  static func publicKey(of der: [UInt8]) -> [UInt8]? {
    guard let certificate = unsafe make(der) else { return nil }
    defer { unsafe X509_free(certificate) }
    let key = unsafe X509_get_X509_PUBKEY(certificate)
    return unsafe encoding { unsafe i2d_X509_PUBKEY(key, $0) }
  }

  /// Frees what the caller owns.
  static func free(_ certificates: [OpaquePointer]) {
    for index in unsafe certificates.indices { unsafe X509_free(certificates[index]) }
  }

  /// The authorities that are trusted when the caller names no others: the file of SSL_CERT_FILE, or else libcurl's own.
  static var systemFile: String? {
    if let file = unsafe getenv("SSL_CERT_FILE") { return unsafe String(cString: file) }
    return unsafe version?.pointee.cainfo.map { unsafe String(cString: $0) }
  }

  /// The folder in which libcurl looks besides.
  static var systemFolder: String? { unsafe version?.pointee.capath.map { unsafe String(cString: $0) } }

  private static var version: UnsafeMutablePointer<curl_version_info_data>? {
    unsafe curl_version_info(CURLversion(rawValue: CURLVERSION_SEVENTH.rawValue))
  }
}

/// RFC 4648 section 4.
enum Base64 {
  static func text(_ bytes: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = unsafe EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}
