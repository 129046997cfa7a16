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

  @Test func `a store of cookies takes our tasks, and goes by path and scheme (L.2)`() async throws {
    let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    func task(_ url: String) throws -> URLSessionTask { session.dataTask(with: try #require(URL(string: url))) }
    func cookie(_ name: String, path: String = "/", _ more: [HTTPCookiePropertyKey: Any] = [:]) throws -> HTTPCookie {
      let own: [HTTPCookiePropertyKey: Any] = [.name: name, .value: "1", .path: path, .domain: "a.example"]
      return try #require(HTTPCookie(properties: own.merging(more) { $1 }))
    }
    let cookies = [try cookie("all"), try cookie("below", path: "/x"), try cookie("secure", [.secure: "TRUE"])]
    storage.storeCookies(cookies, for: try task("http://a.example/"))
    storage.storeCookies([try cookie("stranger")], for: try task("http://b.example/"))
    let plain = await storage.cookies(for: try task("http://a.example/"))
    #expect(plain?.map(\.name) == ["all"])
    let secure = await storage.cookies(for: try task("https://a.example/x/y"))
    #expect(Set(secure?.map(\.name) ?? []) == ["all", "below", "secure"])
    #expect(await storage.cookies(for: session.streamTask(withHostName: "a.example", port: 1)) == nil)
  }

  @Test func `a store of credentials takes our tasks, and finds equal spaces (L.2)`() async throws {
    let storage = URLCredentialStorage()
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: try #require(URL(string: "http://a.example/")))
    func space(_ realm: String = "r") -> URLProtectionSpace {
      URLProtectionSpace(
        host: "a.example", port: 80, protocol: NSURLProtectionSpaceHTTP, realm: realm,
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    }
    let (one, two) = (
      URLCredential(user: "one", password: "1", persistence: .forSession),
      URLCredential(user: "two", password: "2", persistence: .forSession)
    )
    storage.set(one, for: space(), task: task)
    storage.setDefaultCredential(two, for: space(), task: task)
    #expect(storage.allCredentials.count == 1)
    storage.getCredentials(for: space(), task: task) { #expect($0.map { Set($0.keys) } == ["one", "two"]) }
    storage.getCredentials(for: space("other"), task: task) { #expect($0 == nil) }
    storage.getDefaultCredential(for: space(), task: task) { #expect($0?.user == "two") }
    #expect(await storage.credentials(for: space(), task: task).map { Set($0.keys) } == ["one", "two"])
    #expect(await storage.credentials(for: space("other"), task: task) == nil)
    #expect(await storage.defaultCredential(for: space(), task: task)?.user == "two")
    storage.remove(two, for: space(), task: task)
    storage.getCredentials(for: space(), task: task) { #expect($0.map { Set($0.keys) } == ["one"]) }
  }

  @Test func `a task that was made before goes on`() async throws {
    let fixture = try Fixture(Self.routes)
    fixture.session.dataTask(with: try fixture.url("/ok")).resume()
    await fixture.session.flush()
    #expect(try await fixture.events().order.contains("complete"))
  }
}
