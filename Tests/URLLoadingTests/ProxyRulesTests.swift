// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Transport

@testable import URLLoading

/// Which requests go through which proxy (B.4).
@Suite struct ProxyRulesTests {
  private static func port(_ rules: ProxyRules, _ url: String) throws -> Int? {
    rules.server(for: try #require(URL(string: url)))?.proxy.port
  }

  @Test func `each scheme has its proxy, and SOCKS takes the rest`() throws {
    let rules = ProxyRules(
      ProxySettings([
        "HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": 1, "SOCKSEnable": true, "SOCKSProxy": "p", "SOCKSPort": "3",
        "HTTPSEnable": 0, "HTTPSProxy": "p", "HTTPSPort": 2,
      ]))
    #expect(try Self.port(rules, "http://a.example/") == 1)
    #expect(try Self.port(rules, "https://a.example/") == 3)
    #expect(try Self.port(ProxyRules(ProxySettings([:])), "http://a.example/") == nil)
  }

  @Test(arguments: [
    ("a.example", "a.example", true), ("a.example", "b.a.example", false), ("*.example", "a.example", true),
    ("*.example", "example", false), ("*", "anything", true), ("10.*", "10.1.2.3", true),
    ("A.Example", "a.example", true),
    ("169.254/16", "169.254.3.4", true), ("169.254/16", "169.255.3.4", false), ("10.0.0.0/8", "10.9.9.9", true),
    ("10.0.0.0/33", "10.0.0.1", false), ("0/0", "1.2.3.4", true), ("169.254/16", "169.254.example", false),
    ("10.1.2.3", "0xa.1.2.3", true), ("127.1", "127.0.0.1", true), ("2130706433", "127.0.0.1", true),
    ("fe80::/10", "fe80::1%eth0", true), ("fe80::/10", "fec0::1", false), ("[2001:db8::]/32", "2001:db8:1::1", true),
    ("[::1]", "0:0:0:0:0:0:0:1", true), ("::1", "::1", true), ("2001:DB8::1", "2001:db8:0::1", true),
    ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:0:0/96", "1.2.3.4", true), ("fe80::/129", "fe80::1", false),
    ("a.example.", "a.example", true), ("a.example", "a.example.", true), ("*.example", "a.example.", true),
    ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false), ("", "a", false),
  ]) func `an exception names hosts`(pattern: String, host: String, isMeant: Bool) {
    #expect(ProxyException(pattern, .whole).matches(host) == isMeant)
  }

  @Test func `of the proxies of a list the first one that is for a host is its proxy, but for those out of reach`()
    throws
  {
    func choice(_ port: Int, _ domains: [String], _ excluded: [String] = []) -> ProxyChoice {
      var choice = ProxyChoice(.tunnel, host: "p", port: port)
      (choice.domains, choice.excludedDomains, choice.allowsFailover) = (domains, excluded, true)
      return choice
    }
    let rules = ProxyRules([
      choice(1, ["a.example", ".B.Example"], ["x.a.example"]), choice(2, ["example", "10.0.0.0/8"]),
      choice(3, [], ["c.test"]),
    ])
    for (host, port) in [
      ("a.example", 1), ("y.a.example", 1), ("b.example.", 1), ("A.EXAMPLE", 1), ("x.a.example", 2),
      ("z.x.a.example", 2),
      ("aa.example", 2), ("10.1.2.3", 2), ("11.1.2.3", 3), ("c.test", nil), ("d.c.test", nil), ("cc.test", 3),
    ] as [(String, Int?)] {
      #expect(
        try Self.port(rules, "http://\(host)/") == port && Self.port(rules, "https://\(host)/") == port, "\(host)")
    }
    let url = try #require(URL(string: "http://a.example/"))
    var unreachable: [ProxyServer] = []
    for port in [1, 2, 3] {
      let server = try #require(rules.server(for: url, without: unreachable))
      #expect(server.proxy.port == port)
      unreachable.append(server)
    }
    #expect(rules.server(for: url, without: unreachable) == nil)
  }

  @Test(arguments: [("", 1), ("a b", 1), ("a/b", 1), ("p", 0)]) func `a configuration that names no proxy has a fault`(
    host: String, port: Int
  ) throws {
    let url = try #require(URL(string: "http://a.example/"))
    let fault = ProxyRules([ProxyChoice(.tunnel, host: host, port: port)]).server(for: url)?.fault
    #expect(fault == "A proxy configuration names no proxy: \"\(host)\", \(port).")
  }

  /// Whoever tried all ways to match it would never come to an end.
  @Test func `a pattern of many stars costs little`() {
    let pattern = String(repeating: "a*", count: 2000) + "b"
    #expect(!ProxyException(pattern, .whole).matches(String(repeating: "a", count: 4000)))
  }

  @Test func `a dictionary's user and password are those of each of its proxies`() throws {
    let rules = ProxyRules(
      ProxySettings([
        "HTTPEnable": 1, "HTTPProxy": "p", "SOCKSEnable": 1, "SOCKSProxy": "q", "kCFProxyUsernameKey": "user",
        "kCFProxyPasswordKey": "word",
      ]))
    #expect([rules.http, rules.socks].allSatisfy { $0?.user == "user" && $0?.password == "word" })
  }

  @Test func `simple names can be excepted`() throws {
    let rules = ProxyRules(
      ProxySettings(["HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": 1, "ExcludeSimpleHostnames": 1]))
    #expect(try Self.port(rules, "http://printer/") == nil)
    #expect(try Self.port(rules, "http://printer.example/") == 1)
  }

  @Test func `the environment names proxies, and what goes without`() throws {
    let rules = ProxyRules(environment: [
      "http_proxy": "user:a%20b@p.example:1", "HTTPS_PROXY": "socks5://p.example", "NO_PROXY": ".b.example, c.example",
    ])
    #expect(try Self.port(rules, "http://a.example/") == 1)
    #expect(rules.http?.user == "user" && rules.http?.password == "a b")
    #expect(rules.https?.proxy.kind == .socks5 && rules.https?.proxy.port == 1080)
    for host in [
      "b.example.", "x.c.example.", "localhost.", "127.1", "0x7f000001", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]",
      "b.example", "x.b.example", "c.example", "x.c.example", "localhost", "127.0.0.2", "[::1]", "a.localhost",
    ] {
      #expect(try Self.port(rules, "http://\(host)/") == nil, "\(host)")
    }
    #expect(try Self.port(rules, "http://xc.example/") == 1)
  }

  @Test(arguments: [
    "https://p:1", "socks4://p:1", "socks4a://p", "ftp://p:1", "htp://p:1", "http:/p:1", "http//p", "://p:1", "http://",
    "http://p%20q:1", "p%00q", "p%0D%0Aq:1", "p%2Fq", "p%40q", "p:99999", "p:port", "user:secret@", "[::1", "a b:1",
  ]) func `a proxy that is named but not spoken is a fault, and the way round it is none`(text: String) throws {
    let rules = ProxyRules(environment: ["http_proxy": text])
    let url = try #require(URL(string: "http://a.example/"))
    let fault = try #require(rules.server(for: url)?.fault)
    #expect(fault.hasPrefix("http_proxy names ") && !fault.contains("secret"))
    #expect(!rules.areDirect)
    #expect(try Self.port(rules, "http://127.0.0.1/") == nil)
  }

  @Test(arguments: [" http://p:1", "http://p:1\n", "\tp:1", "HTTP://p:1"])
  func `blanks around a proxy, and the case of its scheme, change nothing`(text: String) throws {
    let rules = ProxyRules(environment: ["http_proxy": text])
    #expect(try Self.port(rules, "http://a.example/") == 1 && rules.http?.fault == nil)
  }

  @Test(arguments: [("http://p", 1), ("p", 0), ("p", 65_536), ("p q", 1), ("p/", 1)])
  func `what a dictionary names and cannot be is a fault, too`(host: String, port: Int) throws {
    let rules = ProxyRules(ProxySettings(["HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port]))
    #expect(rules.http?.fault != nil)
  }

  @Test func `the field of a stranger's request is no setting`() throws {
    #expect(ProxyRules(environment: ["HTTP_PROXY": "p:1"]).http == nil)
    #expect(ProxyRules(environment: ["http_proxy": ""]).http == nil)
    #expect(ProxyRules(environment: ["http_proxy": " "]).http == nil)
    #expect(ProxyRules(environment: ["all_proxy": "p:9"]).https?.proxy.port == 9)
    #expect(try Self.port(ProxyRules(environment: ["http_proxy": "p:1", "no_proxy": "*"]), "http://a.example/") == nil)
  }
}
