// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// B.4, `allowFailover`: what becomes of a request whose proxy cannot be reached.
@Suite struct ProxyFailoverTests {
  private static func configuration(_ port: Int, socks: Bool = false, failover: Bool) throws -> ProxyConfiguration {
    let endpoint = NWEndpoint.hostPort(host: "127.0.0.1", port: try #require(NWEndpoint.Port("\(port)")))
    var configuration =
      socks ? ProxyConfiguration(socksv5Proxy: endpoint) : ProxyConfiguration(httpCONNECTProxy: endpoint)
    configuration.allowFailover = failover
    return configuration
  }

  /// A proxy that is not there.
  private static func missing(socks: Bool = false, failover: Bool) throws -> ProxyConfiguration {
    try configuration(try #require(URL(string: ClosedPort().url)?.port), socks: socks, failover: failover)
  }

  @Test(arguments: [false, true], [false, true])
  func `a request goes round a proxy out of reach only where it may (B.4)`(isSecure: Bool, isSOCKS: Bool) async throws {
    for mayFail in [false, true] {
      let way = try ProxyWay(
        secure: isSecure, LoopbackProxy(), configurations: [Self.missing(socks: isSOCKS, failover: mayFail)])
      let outcome = try await way.load()
      #expect(outcome.value == (mayFail ? Data("ok".utf8) : nil))
      #expect(outcome.error?.code == (mayFail ? nil : .cannotConnectToHost))
      #expect(way.server.log.snapshot().requests.count == (mayFail ? 1 : 0))
      guard mayFail else { continue }
      let transactions = try #require(try await way.user.metrics.wait { !$0.isEmpty }.first?.transactionMetrics)
      // Over https the attempt was one to see the server's certificate, which is no transaction.
      #expect(transactions.map(\.isProxyConnection) == (isSecure ? [false] : [true, false]))
    }
  }

  @Test(arguments: [false, true])
  func `the next configuration for the host comes before the direct way (B.4)`(isSecure: Bool) async throws {
    let proxy = LoopbackProxy()
    defer { proxy.stop() }
    let way = try ProxyWay(
      secure: isSecure, LoopbackProxy(),
      configurations: [
        Self.missing(failover: true), Self.missing(socks: true, failover: true),
        Self.configuration(proxy.port, failover: false),
      ])
    #expect(try await way.load().status == 200)
    #expect(proxy.asked.first?.line == "CONNECT 127.0.0.1:\(way.server.port) HTTP/1.1")
    let closed = try ProxyWay(
      secure: isSecure, LoopbackProxy(),
      configurations: [Self.missing(failover: true), Self.missing(failover: false)])
    #expect(try await closed.load().error?.code == .cannotConnectToHost)
    #expect(closed.server.log.snapshot().requests.isEmpty)
  }

  @Test func `a proxy that refuses has been reached: nothing goes round it (B.4)`() async throws {
    let proxy = LoopbackProxy(refusal: "502 Bad Gateway")
    defer { proxy.stop() }
    let way = try ProxyWay(
      secure: false, LoopbackProxy(), configurations: [Self.configuration(proxy.port, failover: true)])
    #expect(try await way.load().error?.code == .cannotConnectToHost)
    #expect(way.server.log.snapshot().requests.isEmpty)
  }

  @Test func `a body goes round the proxy whole, a stream's, too (B.4, B.6)`() async throws {
    let way = try ProxyWay(secure: false, LoopbackProxy(), configurations: [Self.missing(failover: true)])
    var request = URLRequest(url: try #require(URL(string: way.server.url("/upload"))))
    request.httpMethod = "POST"
    let (sent, body) = (request, Data(SeededBody(seed: 4).bytes(0..<200_000)))
    let uploaded: Outcome<Data> = await way.session.outcome {
      way.session.uploadTask(with: sent, from: body, completionHandler: $0)
    }
    #expect(uploaded.status == 200)
    request.httpBodyStream = InputStream(data: body)
    let streamed = request
    let outcome: Outcome<Data> = await way.session.outcome {
      way.session.dataTask(with: streamed, completionHandler: $0)
    }
    #expect(outcome.status == 200)
    let log = way.server.log.settled(within: .seconds(TestMachine.patience))
    let sum = SeededBody.checksum(seed: 4, size: 200_000)
    #expect(log.requests.map(\.bodyChecksum) == [sum, sum])
  }

  @Test func `a WebSocket goes round it, too (B4)`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.proxyConfigurations = [try Self.missing(failover: true)]
    let fixture = try SocketFixture(configuration: configuration)
    let task = try fixture.task()
    try await task.send(.string("round"))
    #expect(await task.next() == "round")
    task.cancel()
  }
}
