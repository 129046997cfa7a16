// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import ServerParts
import TestSupport
import Testing

@testable import SessionAPI

/// B.4, `proxyConfigurations`: which hosts go through which proxy, as whom, and what follows where there is none.
@Suite struct ProxyConfigurationTests {
  private static func endpoint(_ port: Int) throws -> NWEndpoint {
    .hostPort(host: "127.0.0.1", port: try #require(NWEndpoint.Port("\(port)")))
  }

  private static func configuration(
    _ port: Int, socks: Bool = false, for domains: [String] = [], but excluded: [String] = [], failover: Bool = false
  ) throws -> ProxyConfiguration {
    let endpoint = try endpoint(port)
    var configuration =
      socks ? ProxyConfiguration(socksv5Proxy: endpoint) : ProxyConfiguration(httpCONNECTProxy: endpoint)
    (configuration.matchDomains, configuration.excludedDomains) = (domains, excluded)
    configuration.allowFailover = failover
    return configuration
  }

  /// The port of a proxy that is not there.
  private static func closedPort() throws -> Int { try #require(URL(string: ClosedPort().url)?.port) }

  // MARK: - The way

  @Test(arguments: [false, true])
  func `an HTTP CONNECT proxy opens tunnels, for http as well (B.4)`(isSecure: Bool) async throws {
    let (proxy, other) = (LoopbackProxy(), LoopbackProxy())
    let way = try ProxyWay(secure: isSecure, other, configurations: [Self.configuration(proxy.port)])
    defer { proxy.stop() }
    for _ in 1...2 { #expect(try await way.load("/echo?a=b").status == 200) }
    let line = "CONNECT 127.0.0.1:\(way.server.port) HTTP/1.1"
    // One tunnel for both requests, and over https one before in which the server shows its certificate.
    #expect(proxy.asked.map(\.line) == (isSecure ? [line, line] : [line]))
    #expect(other.asked.isEmpty, "the dictionary is not asked")
    let requests = way.server.log.snapshot().requests
    #expect(requests.allSatisfy { $0["X-Proxy"] == nil && $0["Proxy-Connection"] == nil && $0.target == "/echo?a=b" })
    for transaction in try await way.user.metrics.wait(until: { $0.count == 2 }).flatMap(\.transactionMetrics) {
      #expect(transaction.isProxyConnection && transaction.remotePort == proxy.port)
    }
  }

  @Test(arguments: [false, true])
  func `a SOCKS proxy leads to the server, whose name it resolves (B.4)`(isSecure: Bool) async throws {
    let proxy = LoopbackProxy()
    defer { proxy.stop() }
    let way = try ProxyWay(
      secure: isSecure, LoopbackProxy(), configurations: [Self.configuration(proxy.port, socks: true)])
    #expect(try await way.load(host: "localhost").status == 200)
    #expect(proxy.asked.first?.line == "SOCKS localhost:\(way.server.port)")
  }

  @Test(
    arguments: [
      ([], [], "localhost", true), (["LOCALHOST"], [], "localhost", true), (["localhost"], [], "127.0.0.1", false),
      (["127.0.0.0/8"], [], "127.0.0.1", true), ([], ["localhost"], "localhost", false),
      ([], ["localhost"], "127.0.0.1", true), (["localhost"], ["localhost"], "localhost", false),
      (["host"], [], "localhost", false),
    ] as [([String], [String], String, Bool)])
  func `a proxy is for the domains that it matches, but not for those that are excluded (B.4)`(
    domains: [String], excluded: [String], host: String, isProxied: Bool
  ) async throws {
    let (proxy, other) = (LoopbackProxy(), LoopbackProxy())
    defer { proxy.stop() }
    let way = try ProxyWay(
      secure: false, other, configurations: [Self.configuration(proxy.port, for: domains, but: excluded)])
    #expect(try await way.load(host: host).status == 200)
    #expect(proxy.asked.count == (isProxied ? 1 : 0))
    #expect(other.asked.isEmpty, "what no configuration is for goes directly")
  }

  @Test func `the first configuration that is for a host wins (B.4)`() async throws {
    let proxies = [LoopbackProxy(), LoopbackProxy(), LoopbackProxy()]
    let way = try ProxyWay(
      secure: false, LoopbackProxy(),
      configurations: [
        Self.configuration(proxies[0].port, for: ["a.example"]), Self.configuration(proxies[1].port, socks: true),
        Self.configuration(proxies[2].port),
      ])
    #expect(try await way.load().status == 200)
    #expect(proxies.map(\.asked.count) == [0, 1, 0])
    for proxy in proxies { proxy.stop() }
  }

  // MARK: - Who is there?

  @Test(arguments: [false, true])
  func `a proxy that asks gets the credential that was applied, and the server never (B.4, B.11)`(
    isSecure: Bool
  ) async throws {
    let proxy = LoopbackProxy(credential: "lesson:secret")
    defer { proxy.stop() }
    var configuration = try Self.configuration(proxy.port)
    configuration.applyCredential(username: "lesson", password: "secret")
    let way = try ProxyWay(secure: isSecure, LoopbackProxy(), configurations: [configuration])
    for _ in 1...2 { #expect(try await way.load().value == Data("ok".utf8)) }
    let challenges = way.user.challenges.withLock { $0 }
    #expect(challenges.count == 1 && challenges.first?.proposedCredential?.user == "lesson")
    #expect(challenges.first?.protectionSpace.isProxy() == true)
    #expect(way.server.log.snapshot().requests.allSatisfy { $0["Proxy-Authorization"] == nil })
  }

  @Test(arguments: [false, true])
  func `a wrong credential, or none, ends with -1013 before anything reaches the server (B.4, B.11)`(
    isSecure: Bool
  ) async throws {
    let proxy = LoopbackProxy(credential: "lesson:secret")
    defer { proxy.stop() }
    for hasCredential in [false, true] {
      // A proxy that answers has been reached: nothing goes round it.
      var configuration = try Self.configuration(proxy.port, failover: true)
      if hasCredential { configuration.applyCredential(username: "lesson", password: "wrong") }
      let way = try ProxyWay(secure: isSecure, LoopbackProxy(), configurations: [configuration])
      #expect(try await way.load().error?.code == .userAuthenticationRequired)
      #expect(way.server.log.snapshot().requests.isEmpty)
    }
  }

  @Test(.enabled(if: NTLMGuard.isAnswered))
  func `a proxy that wants NTLM for a tunnel to an http server gets it once, for its user's connection (AU-24)`()
    async throws
  {
    let door = NTLMGuard(NTLMSettings())
    let proxy = LoopbackProxy(logsIn: { door.challenges(after: $0, on: $1) })
    defer { proxy.stop() }
    var configuration = try Self.configuration(proxy.port)
    configuration.applyCredential(username: "lesson", password: "secret")
    let way = try ProxyWay(secure: false, LoopbackProxy(), configurations: [configuration])
    for _ in 1...2 { #expect(try await way.load().value == Data("ok".utf8)) }
    #expect(proxy.asked.allSatisfy { $0.line.hasPrefix("CONNECT ") })
    #expect(way.user.challenges.withLock { $0.count } == 1 && way.server.log.snapshot().requests.count == 2)
  }

  @Test(arguments: [false, true])
  func `a SOCKS proxy gets name and password at once, and refuses wrong ones with -1004 (AU-27)`(
    isSecure: Bool
  ) async throws {
    let proxy = LoopbackProxy(socksLogin: "lesson:s:ecret")
    defer { proxy.stop() }
    for (login, isRight) in [(("lesson", "s:ecret"), true), (("lesson", "wrong"), false), (nil, false)] {
      var configuration = try Self.configuration(proxy.port, socks: true, failover: true)
      if let (user, password) = login { configuration.applyCredential(username: user, password: password) }
      let way = try ProxyWay(secure: isSecure, LoopbackProxy(), configurations: [configuration])
      let outcome = try await way.load()
      #expect(outcome.status == (isRight ? 200 : nil) && outcome.error?.code == (isRight ? nil : .cannotConnectToHost))
      #expect(way.server.log.snapshot().requests.isEmpty != isRight)
    }
  }

  @Test func `the user of a dictionary is a SOCKS proxy's, too (AU-27)`() async throws {
    for (password, status) in [("secret", 200), ("wrong", nil)] as [(String, Int?)] {
      let way = try ProxyWay(
        secure: false, LoopbackProxy(socksLogin: "lesson:secret"),
        [kCFProxyUsernameKey: "lesson", kCFProxyPasswordKey: password], socks: true)
      #expect(try await way.load().status == status)
    }
  }
}
