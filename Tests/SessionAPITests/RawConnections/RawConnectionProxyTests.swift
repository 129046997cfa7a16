// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import ServerParts
import TestSupport
import Testing

@testable import SessionAPI

/// WebSockets and streams through proxies (RFC 6455 section 4.1: a tunnel, also without TLS), and the versions of TLS.
@Suite struct RawConnectionProxyTests {
  private static func configuration(_ proxy: LoopbackProxy, _ name: String = "HTTP") -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = [
      name + "Enable": 1, name + "Proxy": "127.0.0.1", name + "Port": proxy.port,
    ]
    return configuration
  }

  @Test(arguments: ["HTTP", "SOCKS"]) func `a WebSocket goes through a tunnel (B4)`(name: String) async throws {
    let proxy = LoopbackProxy()
    defer { proxy.stop() }
    let fixture = try SocketFixture(configuration: Self.configuration(proxy, name))
    let task = try fixture.task()
    try await task.send(.string("through"))
    #expect(await task.next() == "through")
    let way =
      name == "HTTP" ? "CONNECT 127.0.0.1:\(fixture.server.port) HTTP/1.1" : "SOCKS 127.0.0.1:\(fixture.server.port)"
    #expect(proxy.asked.map(\.line) == [way])
    task.cancel()
  }

  @Test(arguments: ["HTTP", "SOCKS"])
  func `TLS begins in the midst of a stream through a tunnel, too (B4)`(name: String) async throws {
    let proxy = LoopbackProxy()
    defer { proxy.stop() }
    let fixture = try SecureStreamTests.fixture(configuration: Self.configuration(proxy, name))
    let task = await SecureStreamTests.turning(fixture)
    #expect(await task.put("secret") == nil)
    #expect(await task.text(6) == "secret")
    #expect(proxy.asked.count == 1)
    task.cancel()
  }

  /// A WebSocket that has sent and received through a proxy that wants to know who is there.
  private static func speak(through proxy: LoopbackProxy) async throws -> (SocketFixture, URLSessionWebSocketTask) {
    let credential = URLCredential(user: "lesson", password: "secret", persistence: .none)
    let fixture = try SocketFixture(configuration: configuration(proxy), credential: credential)
    let task = try fixture.task()
    try await task.send(.string("through"))
    #expect(await task.next() == "through")
    return (fixture, task)
  }

  @Test(.enabled(if: NTLMGuard.isAnswered)) func `a proxy that wants NTLM gets it for a tunnel in the clear (AU-24)`()
    async throws
  {
    let door = NTLMGuard(NTLMSettings())
    let proxy = LoopbackProxy(logsIn: { door.challenges(after: $0, on: $1) })
    defer { proxy.stop() }
    let (fixture, task) = try await Self.speak(through: proxy)
    let line = "CONNECT 127.0.0.1:\(fixture.server.port) HTTP/1.1"
    #expect(proxy.asked.map(\.line) == [line, line, line])
    #expect(proxy.asked[1].connection == proxy.asked[2].connection)
    task.cancel()
  }

  @Test func `a proxy that wants a password gets it, and the server does not (B11)`() async throws {
    let proxy = LoopbackProxy(credential: "lesson:secret")
    defer { proxy.stop() }
    let (fixture, task) = try await Self.speak(through: proxy)
    #expect(proxy.asked.count == 2)
    let seen = try #require(fixture.server.log.snapshot().requests.first)
    #expect(seen["Proxy-Authorization"] == nil && seen["Authorization"] == nil)
    task.cancel()
  }

  @Test(arguments: ["MD5", "SHA-256"])
  func `a proxy that wants Digest for a tunnel in the clear gets it for CONNECT (B11)`(algorithm: String) async throws {
    var settings = DigestSettings()
    settings.algorithm = algorithm
    let door = DigestGuard(settings)
    let proxy = LoopbackProxy(asks: { door.challenge(after: $0, $1, $2) })
    defer { proxy.stop() }
    let (fixture, task) = try await Self.speak(through: proxy)
    let line = "CONNECT 127.0.0.1:\(fixture.server.port) HTTP/1.1"
    #expect(proxy.asked.map(\.line) == [line, line])
    #expect(proxy.asked.last?.fields["proxy-authorization"]?.contains("uri=\"127.0.0.1:") == true)
    #expect(fixture.recorder.log.all.contains(.challenge(NSURLAuthenticationMethodHTTPDigest)))
    let seen = try #require(fixture.server.log.snapshot().requests.first)
    #expect(seen["Proxy-Authorization"] == nil && seen["Authorization"] == nil)
    task.cancel()
  }

  @Test func `without a password there is no tunnel (B11)`() async throws {
    let proxy = LoopbackProxy(credential: "lesson:secret")
    defer { proxy.stop() }
    let fixture = try SocketFixture(configuration: Self.configuration(proxy))
    #expect(await (try fixture.task()).next() == "-1013")
    #expect(fixture.server.log.snapshot().requests.isEmpty)
  }

  @Test func `a WebSocket speaks the configuration's versions of TLS (B4)`() async throws {
    let authority = try CertificateAuthority()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.values.withLock { values in
      values.wire.authorities = Data(authority.pem.utf8)
      values.wire.newestTLS = 0x0303
    }
    let fixture = try SocketFixture(tls: TLSSettings(authority: authority), configuration: configuration)
    let task = try fixture.task()
    try await task.send(.string("x"))
    #expect(await task.next() == "x")
    let versions = fixture.server.log.snapshot().sockets.compactMap { $0.tls?.version }
    #expect(Set(versions) == ["TLSv1.2"])
  }
}
