// SPDX-License-Identifier: Apache-2.0

/// By which rules a chain is judged, where they are not a connection's own.
public struct CertificateRules: Sendable {
  /// The purpose that the chain's first certificate must be made for, by OpenSSL's names.
  public enum Purpose: String, Sendable {
    /// A server of TLS.
    case server = "ssl_server"
    /// A client of TLS.
    case client = "ssl_client"
    /// Anything.
    case any = "default"
  }

  /// Which host it must name among its alternative names.
  public enum Name: Sendable {
    /// The one that the request names.
    case requested
    /// This one: a name, or an address without brackets.
    case given(String)
    /// None.
    case none
  }

  /// Certificates in DER that are trusted as authorities, roots or not.
  public var anchors: [[UInt8]] = []
  /// True if no others are.
  public var areAnchorsAlone = false
  /// A server, unless set.
  public var purpose = Purpose.server
  /// The one that the request names, unless set.
  public var name = Name.requested

  /// The rules for a server of TLS.
  public init() {}

  /// The host that a certificate must name where the request names `host`; nil for any.
  public func name(for host: String) -> String? {
    switch name {
    case .requested: host
    case .given(let name): name
    case .none: nil
    }
  }
}
