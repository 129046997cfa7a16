// SPDX-License-Identifier: Apache-2.0
import Locking
import URLLoading

/// Which versions of TLS a session's tasks speak. A server that speaks none of them ends a task with -1200.
///
/// What a server says of itself with Strict-Transport-Security (RFC 6797) is not kept: an http URL stays one.
extension URLSessionConfiguration {
  /// The oldest version; TLS 1.2 unless set. Older ones need a system whose OpenSSL still speaks them, which that of
  /// current distributions does not. The versions over datagrams limit nothing.
  public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
    get { tls_protocol_version_t(rawValue: values.withLock { $0.oldestTLS }) ?? .TLSv12 }
    set { values.withLock { $0.oldestTLS = newValue.rawValue } }
  }

  /// The newest version; TLS 1.3 unless set. One older than the minimum leaves none.
  public var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t {
    get { tls_protocol_version_t(rawValue: values.withLock { $0.newestTLS }) ?? .TLSv13 }
    set { values.withLock { $0.newestTLS = newValue.rawValue } }
  }

  /// The oldest version under its old name.
  @available(*, deprecated, renamed: "tlsMinimumSupportedProtocolVersion")
  public var tlsMinimumSupportedProtocol: SSLProtocol {
    get { SSLProtocol(tlsMinimumSupportedProtocolVersion) }
    set { tlsMinimumSupportedProtocolVersion = newValue.version ?? .TLSv12 }
  }

  /// The newest version under its old name.
  @available(*, deprecated, renamed: "tlsMaximumSupportedProtocolVersion")
  public var tlsMaximumSupportedProtocol: SSLProtocol {
    get { SSLProtocol(tlsMaximumSupportedProtocolVersion) }
    set { tlsMaximumSupportedProtocolVersion = newValue.version ?? .TLSv13 }
  }
}
