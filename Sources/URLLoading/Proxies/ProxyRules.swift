// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// Which requests go through which proxy. Pure.
struct ProxyRules: Sendable, Hashable {
  var http: ProxyServer?
  var https: ProxyServer?
  var socks: ProxyServer?
  var exceptions: [ProxyException] = []
  /// Proxies for some hosts, in place of the others; the first that is for a host is its proxy.
  var choices: [Choice] = []
  /// True if names without a dot are reached directly.
  var exceptsSimpleNames = false
  /// True if this machine itself is always reached directly.
  var exceptsLoopback = false

  /// All requests go directly.
  init() {}

  /// True if all requests go directly, whatever their URL.
  var areDirect: Bool { http == nil && https == nil && socks == nil && choices.isEmpty }

  /// The proxy for a request to `url`; nil where it goes directly. Those that cannot be reached are passed over.
  func server(for url: URL, without unreachable: [ProxyServer] = []) -> ProxyServer? {
    guard let host = url.host?.lowercased() else { return nil }
    guard choices.isEmpty else {
      return choices.first { $0.isFor(host) && !unreachable.contains($0.server) }?.server
    }
    if exceptsLoopback, Self.isLoopback(host) { return nil }
    if exceptsSimpleNames, !host.dropLast().contains("."), !host.contains(":") { return nil }
    if exceptions.contains(where: { $0.matches(host) }) { return nil }
    return (HTTPScheme(url) == .https ? https : http) ?? socks
  }

  private static let loopback = [
    ProxyException("localhost", .domain), ProxyException("127/8", .whole), ProxyException("::1", .whole),
  ]

  /// True if the host is this machine itself, by its name or address.
  static func isLoopback(_ host: String) -> Bool {
    loopback.contains { $0.matches(host) }
  }
}

// MARK: - Where they come from

extension ProxyRules {
  /// The rules of Apple's dictionary (`connectionProxyDictionary`).
  init(_ settings: ProxySettings) {
    func server(_ name: String, _ kind: Proxy.Kind, port: Int) -> ProxyServer? {
      guard settings.isOn(name + "Enable"), let host = settings.text(name + "Proxy"), !host.isEmpty else { return nil }
      var server = ProxyServer(kind, host: host, port: settings.number(name + "Port") ?? port, of: name)
      server.user = settings.text("kCFProxyUsernameKey")
      server.password = settings.text("kCFProxyPasswordKey")
      return server
    }
    http = server("HTTP", .http, port: 80)
    https = server("HTTPS", .http, port: 443)
    socks = server("SOCKS", .socks5, port: 1080)
    exceptions = settings.list("ExceptionsList").map { ProxyException($0, .whole) }
    exceptsSimpleNames = settings.isOn("ExcludeSimpleHostnames")
  }

  /// The rules of the environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, the last three in capitals,
  /// too. `HTTP_PROXY` is not read: to a program behind a web server it is a field of a stranger's request
  /// (CVE-2016-5385). This machine itself is never reached through a proxy.
  init(environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name] ?? environment[name.uppercased()] }
    func server(_ name: String) -> ProxyServer? { value(name).flatMap { ProxyServer(text: $0, of: name) } }
    let all = server("all_proxy")
    http = environment["http_proxy"].flatMap { ProxyServer(text: $0, of: "http_proxy") } ?? all
    https = server("https_proxy") ?? all
    exceptions = (value("no_proxy") ?? "").split { $0 == "," || $0 == " " }.map { ProxyException(String($0), .domain) }
    exceptsLoopback = true
  }
}
