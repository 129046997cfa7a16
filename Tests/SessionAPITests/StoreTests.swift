// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import Testing

/// B.1: reset and flush.
@Suite struct StoreTests {
  private static let routes = [
    Route("/ok", script: .response(.text("ok"))),
    Route(
      "/keep",
      script: .response(
        Response(fields: [HeaderField("Set-Cookie", "a=1"), HeaderField("Cache-Control", "max-age=3600")]))),
  ]

  @Test func `reset empties the stores and takes new connections`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    let space = URLProtectionSpace(host: "h", port: 80, protocol: "http", realm: "r", authenticationMethod: nil)
    configuration.urlCredentialStorage?.set(
      URLCredential(user: "u", password: "p", persistence: .forSession), for: space)
    let fixture = try Fixture(Self.routes, configuration: configuration)
    _ = try await fixture.session.data(from: try fixture.url("/keep"))
    #expect(configuration.httpCookieStorage?.cookies?.count == 1)
    await fixture.session.reset()
    #expect(configuration.httpCookieStorage?.cookies?.isEmpty == true)
    #expect(configuration.urlCredentialStorage?.allCredentials.values.allSatisfy(\.isEmpty) == true)
    _ = try await fixture.session.data(from: try fixture.url("/keep"))
    let log = fixture.server.log.snapshot()
    #expect(log.requests.map { $0["Cookie"] } == [nil, nil])
    #expect(fixture.server.log.counts.opened == 2)
  }

  @Test func `flush keeps the stores and takes new connections`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    let fixture = try Fixture(Self.routes, configuration: configuration)
    for path in ["/keep", "/keep", "/ok"] { _ = try await fixture.session.data(from: try fixture.url(path)) }
    await fixture.session.flush()
    _ = try await fixture.session.data(from: try fixture.url("/ok"))
    let log = fixture.server.log.snapshot()
    #expect(log.requests.map { $0["Cookie"] } == [nil, "a=1", "a=1"])
    #expect(fixture.server.log.counts.opened == 2)
  }

  @Test func `both tell their end on the delegate's queue, also when the session is invalid`() async throws {
    let fixture = try Fixture(Self.routes)
    let session = URLSession(configuration: .ephemeral)
    let isOnQueue = await withCheckedContinuation { continuation in
      session.reset { continuation.resume(returning: OperationQueue.current === session.delegateQueue) }
    }
    #expect(isOnQueue)
    session.invalidateAndCancel()
    await session.flush()
    await session.reset()
    _ = try await fixture.session.data(from: try fixture.url("/ok"))
  }

  @Test func `a task that was made before goes on`() async throws {
    let fixture = try Fixture(Self.routes)
    fixture.session.dataTask(with: try fixture.url("/ok")).resume()
    await fixture.session.flush()
    #expect(try await fixture.events().order.contains("complete"))
  }
}
