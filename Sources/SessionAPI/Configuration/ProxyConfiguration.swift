// SPDX-License-Identifier: Apache-2.0
import URLLoading

/// A proxy, and the hosts that it is for: an element of ``URLSessionConfiguration/proxyConfigurations``.
///
/// A value without threads. Difference from Apple: a connection to the proxy goes without TLS, and there are no relays; the
/// parameter and the initializers for those are absent.
public struct ProxyConfiguration: Sendable, Hashable {
  var choice: ProxyChoice

  init(choice: ProxyChoice) {
    self.choice = choice
  }

  private init(_ way: ProxyChoice.Way, at endpoint: NWEndpoint) {
    switch endpoint {
    case .hostPort(let host, let port): choice = ProxyChoice(way, host: host.name, port: Int(port.rawValue))
    }
  }

  /// A proxy that is spoken to over HTTP/1.1 and opens a tunnel by CONNECT (RFC 9110 section 9.3.6) for each connection: for
  /// http, too, where a proxy of ``URLSessionConfiguration/connectionProxyDictionary`` hands requests on. Many proxies open
  /// tunnels to port 443 alone.
  public init(httpCONNECTProxy: NWEndpoint) {
    self.init(.tunnel, at: httpCONNECTProxy)
  }

  /// A proxy of SOCKS version 5 (RFC 1928), which resolves the servers' names.
  public init(socksv5Proxy: NWEndpoint) {
    self.init(.socks5, at: socksv5Proxy)
  }

  /// Sets the name and the password for a proxy that wants some.
  ///
  /// A SOCKS proxy gets them at once and in the clear (RFC 1929), in UTF-8 of at most 255 bytes each; one that refuses them
  /// ends a task with -1004. An HTTP proxy that asks (407) leads to a challenge whose `proposedCredential` they are, and
  /// default handling sends them; one that refuses them asks again, and without another answer the task ends with -1013.
  /// They are written to no disk.
  public mutating func applyCredential(username: String, password: String) {
    (choice.user, choice.password) = (username, password)
  }

  /// True if requests go on without this proxy where it cannot be reached; false unless set: they end with -1004 or -1003.
  ///
  /// They go through the next configuration that is for their host, or directly where none is. The proxy cannot be reached
  /// where its name is not known or its connection is refused. One that answers, whatever it says, has been reached, and
  /// one that is silent ends a task when its time is over. A task does not try the same proxy again.
  public var allowFailover: Bool {
    get { choice.allowsFailover }
    set { choice.allowsFailover = newValue }
  }

  /// The domains that the proxy is for, each with the domains within it; empty, as unless set, for all. An address, or a
  /// part of the addresses such as `10.0.0.0/8`, stands for itself.
  public var matchDomains: [String] {
    get { choice.domains }
    set { choice.domains = newValue }
  }

  /// The domains that the proxy is not for, with the domains within them, also where `matchDomains` has them; empty unless
  /// set.
  public var excludedDomains: [String] {
    get { choice.excludedDomains }
    set { choice.excludedDomains = newValue }
  }
}

extension ProxyConfiguration: CustomDebugStringConvertible, CustomReflectable {
  /// The kind of the proxy and its address, without a credential.
  public var debugDescription: String {
    "\(choice.way == .socks5 ? "SOCKSv5" : "HTTP CONNECT") \(choice.host):\(choice.port)"
  }

  /// Nothing: what `dump` shows goes into logs, and credentials do not.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
