// SPDX-License-Identifier: Apache-2.0

// Apple names the type so.
// swift-format-ignore: TypeNamesShouldBeCapitalized
/// A version of TLS under Apple's name (Security framework), with the number that stands on the wire.
public enum tls_protocol_version_t: UInt16, Sendable {
  /// TLS 1.0 (RFC 2246).
  case TLSv10 = 0x0301
  /// TLS 1.1 (RFC 4346).
  case TLSv11 = 0x0302
  /// TLS 1.2 (RFC 5246).
  case TLSv12 = 0x0303
  /// TLS 1.3 (RFC 8446).
  case TLSv13 = 0x0304
  /// TLS 1.0 over datagrams; never spoken here.
  case DTLSv10 = 0xfeff
  /// TLS 1.2 over datagrams; never spoken here.
  case DTLSv12 = 0xfefd
}

// Apple names the type so.
// swift-format-ignore: TypeNamesShouldBeCapitalized
/// A cipher suite under Apple's name (Security framework), with its number in the registry of RFC 8446 appendix B.4.
///
/// Difference from Apple: a structure, because a server may agree on a suite that Apple's enumeration does not know. A
/// `switch` wants a default.
public struct tls_ciphersuite_t: RawRepresentable, Sendable, Hashable {
  /// The number on the wire.
  public let rawValue: UInt16

  /// The suite of this number, whether it has a name here or not.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }
}

/// The suites of TLS 1.3.
extension tls_ciphersuite_t {
  /// 0x1301
  public static let AES_128_GCM_SHA256 = Self(rawValue: 0x1301)
  /// 0x1302
  public static let AES_256_GCM_SHA384 = Self(rawValue: 0x1302)
  /// 0x1303
  public static let CHACHA20_POLY1305_SHA256 = Self(rawValue: 0x1303)
}

/// The suites of TLS 1.2 with a key agreed on anew each time.
extension tls_ciphersuite_t {
  /// 0xC008
  public static let ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA = Self(rawValue: 0xC008)
  /// 0xC009
  public static let ECDHE_ECDSA_WITH_AES_128_CBC_SHA = Self(rawValue: 0xC009)
  /// 0xC00A
  public static let ECDHE_ECDSA_WITH_AES_256_CBC_SHA = Self(rawValue: 0xC00A)
  /// 0xC012
  public static let ECDHE_RSA_WITH_3DES_EDE_CBC_SHA = Self(rawValue: 0xC012)
  /// 0xC013
  public static let ECDHE_RSA_WITH_AES_128_CBC_SHA = Self(rawValue: 0xC013)
  /// 0xC014
  public static let ECDHE_RSA_WITH_AES_256_CBC_SHA = Self(rawValue: 0xC014)
  /// 0xC023
  public static let ECDHE_ECDSA_WITH_AES_128_CBC_SHA256 = Self(rawValue: 0xC023)
  /// 0xC024
  public static let ECDHE_ECDSA_WITH_AES_256_CBC_SHA384 = Self(rawValue: 0xC024)
  /// 0xC027
  public static let ECDHE_RSA_WITH_AES_128_CBC_SHA256 = Self(rawValue: 0xC027)
  /// 0xC028
  public static let ECDHE_RSA_WITH_AES_256_CBC_SHA384 = Self(rawValue: 0xC028)
  /// 0xC02B
  public static let ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 = Self(rawValue: 0xC02B)
  /// 0xC02C
  public static let ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 = Self(rawValue: 0xC02C)
  /// 0xC02F
  public static let ECDHE_RSA_WITH_AES_128_GCM_SHA256 = Self(rawValue: 0xC02F)
  /// 0xC030
  public static let ECDHE_RSA_WITH_AES_256_GCM_SHA384 = Self(rawValue: 0xC030)
  /// 0xCCA8
  public static let ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 = Self(rawValue: 0xCCA8)
  /// 0xCCA9
  public static let ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 = Self(rawValue: 0xCCA9)
}

/// The suites of TLS 1.2 with the certificate's own key.
extension tls_ciphersuite_t {
  /// 0x000A
  public static let RSA_WITH_3DES_EDE_CBC_SHA = Self(rawValue: 0x000A)
  /// 0x002F
  public static let RSA_WITH_AES_128_CBC_SHA = Self(rawValue: 0x002F)
  /// 0x0035
  public static let RSA_WITH_AES_256_CBC_SHA = Self(rawValue: 0x0035)
  /// 0x003C
  public static let RSA_WITH_AES_128_CBC_SHA256 = Self(rawValue: 0x003C)
  /// 0x003D
  public static let RSA_WITH_AES_256_CBC_SHA256 = Self(rawValue: 0x003D)
  /// 0x009C
  public static let RSA_WITH_AES_128_GCM_SHA256 = Self(rawValue: 0x009C)
  /// 0x009D
  public static let RSA_WITH_AES_256_GCM_SHA384 = Self(rawValue: 0x009D)
}
