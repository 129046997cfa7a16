// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// A proxy as settings name it.
struct ProxyServer: Sendable, Hashable {
  var proxy: Proxy
  /// What stands before the host in a variable of the environment.
  var user: String?
  var password: String?

  /// The proxy in a variable of the environment: `http://user:password@host:port`, where scheme, user and port may be
  /// missing; without a port it is 1080, as libcurl has it. nil for other schemes, which are not spoken here, and for what
  /// is no host or no port.
  init?(text: String) {
    guard !text.isEmpty, let url = URL(string: text.contains("://") ? text : "http://" + text),
      let host = url.host, Self.isHost(host), url.port ?? 0 <= 65_535
    else { return nil }
    let kind: Proxy.Kind
    switch url.scheme?.lowercased() {
    case "http": kind = .http
    case "socks5", "socks5h", "socks": kind = .socks5
    default: return nil
    }
    proxy = Proxy(kind, host: host, port: url.port ?? 1080)
    user = url.user?.removingPercentEncoding
    password = url.password?.removingPercentEncoding
  }

  init(_ proxy: Proxy) {
    self.proxy = proxy
  }

  /// Whether a text, in which nothing is escaped any more, can stand for a host in an address.
  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 32 && $0 != 127 && !"/?#@\\".utf8.contains($0) }
  }

  /// The origin that its credential may be sent to.
  var origin: Origin { Origin(scheme: .http, host: proxy.host.lowercased(), port: proxy.port) }
}
