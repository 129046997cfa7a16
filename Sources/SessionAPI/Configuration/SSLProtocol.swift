// SPDX-License-Identifier: Apache-2.0

/// A version of SSL or TLS under the old name of Apple's Secure Transport, with its number there.
public enum SSLProtocol: Int32, Sendable {
  /// No limit.
  case sslProtocolUnknown = 0
  /// SSL 2; never spoken here.
  case sslProtocol2 = 1
  /// SSL 3; never spoken here.
  case sslProtocol3 = 2
  /// SSL 3 alone; never spoken here.
  case sslProtocol3Only = 3
  /// TLS 1.0.
  case tlsProtocol1 = 4
  /// TLS 1.0 alone.
  case tlsProtocol1Only = 5
  /// All versions.
  case sslProtocolAll = 6
  /// TLS 1.1.
  case tlsProtocol11 = 7
  /// TLS 1.2.
  case tlsProtocol12 = 8
  /// TLS 1.0 over datagrams; never spoken here.
  case dtlsProtocol1 = 9
  /// TLS 1.3.
  case tlsProtocol13 = 10
  /// TLS 1.2 over datagrams; never spoken here.
  case dtlsProtocol12 = 11

  /// The same under the newer name; nil for no limit.
  var version: tls_protocol_version_t? {
    switch self {
    case .sslProtocol2, .sslProtocol3, .sslProtocol3Only, .tlsProtocol1, .tlsProtocol1Only: .TLSv10
    case .tlsProtocol11: .TLSv11
    case .tlsProtocol12: .TLSv12
    case .tlsProtocol13: .TLSv13
    case .dtlsProtocol1: .DTLSv10
    case .dtlsProtocol12: .DTLSv12
    case .sslProtocolUnknown, .sslProtocolAll: nil
    }
  }

  init(_ version: tls_protocol_version_t) {
    switch version {
    case .TLSv10: self = .tlsProtocol1
    case .TLSv11: self = .tlsProtocol11
    case .TLSv12: self = .tlsProtocol12
    case .TLSv13: self = .tlsProtocol13
    case .DTLSv10: self = .dtlsProtocol1
    case .DTLSv12: self = .dtlsProtocol12
    }
  }
}
