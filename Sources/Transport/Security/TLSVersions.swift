// SPDX-License-Identifier: Apache-2.0
import CCurl

/// The versions of TLS that may be spoken, by the numbers that stand on the wire: 0x0301 for TLS 1.0 to 0x0304 for TLS 1.3
/// (RFC 8446 section 4.2.1). Other numbers limit nothing.
public struct TLSVersions: Sendable, Hashable {
  /// The oldest one; TLS 1.2 unless set. What the system's OpenSSL refuses stays refused.
  public var oldest: UInt16 = 0x0303
  /// The newest one; TLS 1.3 unless set. One that is older than `oldest` leaves none, and every handshake fails.
  public var newest: UInt16 = 0x0304

  /// TLS 1.2 and 1.3.
  public init() {}

  /// The value of CURLOPT_SSLVERSION: libcurl counts from 4 for TLS 1.0, the newest 16 bits further up.
  var curlValue: Int {
    (Self.curlNumber(oldest) ?? Int(CURL_SSLVERSION_DEFAULT)) | (Self.curlNumber(newest) ?? 0) << 16
  }

  private static func curlNumber(_ version: UInt16) -> Int? {
    (0x0301...0x0304).contains(version) ? Int(version - 0x0301) + Int(CURL_SSLVERSION_TLSv1_0) : nil
  }
}

/// The agreement of a TLS handshake.
public struct TLSAgreement: Sendable, Hashable {
  /// The version's number on the wire, such as 0x0304 for TLS 1.3.
  public var version: UInt16
  /// The cipher suite's number (RFC 8446 appendix B.4), such as 0x1301.
  public var cipherSuite: UInt16

  /// An agreement as given.
  public init(version: UInt16, cipherSuite: UInt16) { (self.version, self.cipherSuite) = (version, cipherSuite) }
}
