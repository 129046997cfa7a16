// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The names in a certificate, for people: they decide nothing about a server (RFC 9110 section 4.3.4).
public struct CertificateNames: Sendable {
  /// The common names of the subject (RFC 5280 section 4.1.2.6), in the order in which they stand.
  public let commonNames: [String]
  /// Its organizational units.
  public let units: [String]
  /// Its organizations.
  public let organizations: [String]
  /// Its mail addresses, in the subject and then among the alternative names (RFC 5280 section 4.2.1.6).
  public let addresses: [String]
  /// The hosts among the alternative names.
  public let hosts: [String]

  /// The names in a certificate in DER; nil where the bytes are none.
  public init?(certificate der: [UInt8]) {
    guard let certificate = unsafe PeerCertificates.make(der) else { return nil }
    defer {
      unsafe X509_free(certificate)
      ERR_clear_error()
    }
    commonNames = unsafe Self.parts(NID_commonName, of: certificate)
    units = unsafe Self.parts(NID_organizationalUnitName, of: certificate)
    organizations = unsafe Self.parts(NID_organizationName, of: certificate)
    let alternatives = unsafe Self.alternatives(of: certificate)
    addresses = unsafe Self.parts(NID_pkcs9_emailAddress, of: certificate) + alternatives.addresses
    hosts = alternatives.hosts
  }

  /// One name for the subject: the last common name, or else unit, or organization, or the first mail address, or host; nil where
  /// there is none of them.
  public var summary: String? {
    commonNames.last ?? units.last ?? organizations.last ?? addresses.first ?? hosts.first
  }

  private static func parts(_ kind: Int32, of certificate: OpaquePointer) -> [String] {
    let name = unsafe X509_get_subject_name(certificate)
    var parts: [String] = []
    var index = unsafe X509_NAME_get_index_by_NID(name, kind, -1)
    while index >= 0 {
      if let text = unsafe text(UnsafePointer(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, index)))) {
        parts.append(text)
      }
      index = unsafe X509_NAME_get_index_by_NID(name, kind, index)
    }
    return parts
  }

  private static func alternatives(of certificate: OpaquePointer) -> (addresses: [String], hosts: [String]) {
    let names = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil).map { OpaquePointer($0) }
    var (addresses, hosts): ([String], [String]) = ([], [])
    for index in unsafe 0..<max(0, OPENSSL_sk_num(names)) {
      let name = unsafe OPENSSL_sk_value(names, index)?.assumingMemoryBound(to: GENERAL_NAME.self)
      var kind: Int32 = 0
      let value = unsafe GENERAL_NAME_get0_value(name, &kind)
      guard kind == GEN_EMAIL || kind == GEN_DNS,
        let text = unsafe text(UnsafePointer(value?.assumingMemoryBound(to: ASN1_STRING.self)))
      else { continue }
      if kind == GEN_EMAIL { addresses.append(text) } else { hosts.append(text) }
    }
    unsafe GENERAL_NAMES_free(names)
    return (addresses, hosts)
  }

  /// The text of one of ASN.1's strings, in whichever of their codes it is written.
  private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
    guard let string = unsafe string else { return nil }
    var start: UnsafeMutablePointer<UInt8>?
    let count = unsafe ASN1_STRING_to_UTF8(&start, string)
    defer { unsafe CRYPTO_free(start, nil, 0) }
    guard let start = unsafe start, count > 0 else { return nil }
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}
