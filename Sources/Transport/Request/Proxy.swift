// SPDX-License-Identifier: Apache-2.0

/// A proxy between us and the server. Names are resolved there, not here.
public struct Proxy: Sendable, Hashable {
  /// How it is spoken to.
  public enum Kind: Sendable, Hashable {
    /// Over HTTP: http requests are forwarded, for https it opens a tunnel by CONNECT (RFC 9110 section 9.3.6).
    case http
    /// Over HTTP: it opens a tunnel by CONNECT for every request, also for http.
    case tunnel
    /// By SOCKS version 5 (RFC 1928), with a name and a password where it wants them (RFC 1929).
    case socks5
  }

  /// How it is spoken to.
  public var kind: Kind
  /// Its name or address, without brackets.
  public var host: String
  /// Its port.
  public var port: Int
  /// The value of the Proxy-Authorization field that it alone gets (RFC 9110 section 11.7.2); not for `socks5`.
  public var authorization: String?
  /// The user that logs in on the connection to the proxy, for a transport that serves this user alone; not for `socks5`.
  public var login: ConnectionLogin?
  /// The name and the password for a proxy that wants them, for `socks5` alone. libcurl gives no connection of one user to
  /// another.
  public var socksLogin: ConnectionLogin?

  /// A proxy without a credential.
  public init(_ kind: Kind, host: String, port: Int) {
    (self.kind, self.host, self.port) = (kind, host, port)
  }

  /// The value of CURLOPT_PROXY.
  var address: String {
    (kind == .socks5 ? "socks5h://" : "http://") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
  }
}
