// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// A proxy as settings name it.
struct ProxyServer: Sendable, Hashable {
  var proxy: Proxy
  /// The user and the password that a program gave, or that stand before the host in a variable of the environment.
  var user: String?
  var password: String?
  /// True if requests may go round it where it cannot be reached.
  var allowsFailover = false
  /// Why nothing can be sent through it. A program whose user named a proxy never goes round it in silence.
  private(set) var fault: String?

  /// The proxy in the variable `name` of the environment: `http://user:password@host:port`, where scheme, user and port may be
  /// missing; without a port it is 1080, as libcurl has it. Blanks around it mean nothing. nil where nothing is named; a
  /// proxy with a fault for other schemes, which are not spoken here, and for what is no host or no port.
  init?(text: String, of name: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return nil }
    let url = URL(string: text.contains("://") ? text : "http://" + text)
    guard let url, let host = url.host, Self.isHost(host), url.port ?? 0 <= 65_535, ["", "/"].contains(url.path) else {
      self.init(fault: "\(name) names no proxy: \"\(Self.withoutLogin(text))\" has no host or no port that can be.")
      return
    }
    switch url.scheme?.lowercased() {
    case "http": self.init(Proxy(.http, host: host, port: url.port ?? 1080))
    case "socks5", "socks5h", "socks": self.init(Proxy(.socks5, host: host, port: url.port ?? 1080))
    case let scheme:
      self.init(
        fault: "\(name) names a proxy that speaks \(scheme ?? "nothing"), which is not spoken here: "
          + "use one of http:// or socks5://, or unset \(name).")
      return
    }
    user = url.user?.removingPercentEncoding
    password = url.password?.removingPercentEncoding
  }

  /// The proxy of a dictionary's keys that begin with `name`.
  init(_ kind: Proxy.Kind, host: String, port: Int, of name: String) {
    guard Self.isHost(host), (1...65_535).contains(port) else {
      self.init(fault: "\(name)Proxy and \(name)Port name no proxy: \"\(host)\", \(port).")
      return
    }
    self.init(Proxy(kind, host: host, port: port))
  }

  /// The proxy of a configuration.
  init(_ choice: ProxyChoice) {
    guard Self.isHost(choice.host), (1...65_535).contains(choice.port) else {
      self.init(fault: "A proxy configuration names no proxy: \"\(choice.host)\", \(choice.port).")
      return
    }
    self.init(Proxy(choice.way == .socks5 ? .socks5 : .tunnel, host: choice.host, port: choice.port))
    (user, password, allowsFailover) = (choice.user, choice.password, choice.allowsFailover)
  }

  private init(fault: String) {
    self.init(Proxy(.http, host: "", port: 0))
    self.fault = fault
  }

  /// An error's sentence goes into logs, so a login does not go into it.
  private static func withoutLogin(_ text: String) -> String {
    text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
  }

  init(_ proxy: Proxy) {
    self.proxy = proxy
  }

  /// True if a text, in which nothing is escaped any more, can stand for a host in an address.
  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 32 && $0 != 127 && !"/?#@\\".utf8.contains($0) }
  }

  /// The origin that its credential may be sent to.
  var origin: Origin { Origin(scheme: .http, host: proxy.host.lowercased(), port: proxy.port) }
}
