// SPDX-License-Identifier: Apache-2.0

/// A proxy that a program names for some hosts (`ProxyConfiguration`), as it travels and lies in a journal.
package struct ProxyChoice: Codable, Sendable, Hashable {
  /// How it is spoken to.
  package enum Way: String, Codable, Sendable {
    /// Over HTTP: a tunnel by CONNECT for every request.
    case tunnel
    /// By SOCKS version 5.
    case socks5
  }

  package var way: Way
  /// Its name or address, without brackets.
  package var host: String
  package var port: Int
  package var user: String?
  package var password: String?
  /// True if requests may go round it where it cannot be reached.
  package var allowsFailover = false
  /// The domains that it is for; empty for all.
  package var domains: [String] = []
  /// Those among them that it is not for.
  package var excludedDomains: [String] = []

  /// For all hosts, without a credential.
  package init(_ way: Way, host: String, port: Int) {
    (self.way, self.host, self.port) = (way, host, port)
  }

  /// The same without the name and the password of its user.
  package var withoutCredentials: ProxyChoice {
    var rest = self
    (rest.user, rest.password) = (nil, nil)
    return rest
  }
}

extension ProxyRules {
  /// A proxy, and the hosts that it is for.
  struct Choice: Sendable, Hashable {
    let server: ProxyServer
    private let domains: [ProxyException]
    private let excluded: [ProxyException]

    init(_ choice: ProxyChoice) {
      server = ProxyServer(choice)
      domains = choice.domains.map { ProxyException($0, .domain) }
      excluded = choice.excludedDomains.map { ProxyException($0, .domain) }
    }

    /// True if requests to this host, in lower case and without brackets, go through it.
    func isFor(_ host: String) -> Bool {
      !excluded.contains { $0.matches(host) } && (domains.isEmpty || domains.contains { $0.matches(host) })
    }
  }

  /// The rules of a program's list of proxies.
  init(_ choices: [ProxyChoice]) {
    self.choices = choices.map(Choice.init)
  }
}
