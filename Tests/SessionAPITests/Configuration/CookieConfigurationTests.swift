// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import Testing

/// B.3, B.4: which cookies a session sends and keeps.
@Suite struct CookieConfigurationTests {
  private static let routes = [
    Route("/ok", script: .response(.text("ok"))),
    Route("/set", script: .response(Response(fields: [HeaderField("Set-Cookie", "a=1")]))),
    Route("/from") { request in
      let port = request.head["Host"]?.split(separator: ":").last ?? ""
      let target = HeaderField("Location", "http://other.localhost:\(port)/set")
      return .response(Response(302, fields: [target, HeaderField("Set-Cookie", "b=1")]))
    },
  ]

  /// Loads `path`, then `/ok`, which answers what was sent there.
  private func sentAfter(
    _ path: String, mainDocument: String? = nil, _ change: (URLSessionConfiguration) -> Void
  ) async throws -> (field: String?, stored: [String]) {
    let configuration = URLSessionConfiguration.ephemeral
    change(configuration)
    let fixture = try Fixture(Self.routes, configuration: configuration)
    var request = try fixture.request(path)
    request.mainDocumentURL = mainDocument.flatMap { URL(string: $0) }
    _ = try await fixture.session.data(for: request)
    _ = try await fixture.session.data(for: try fixture.request("/ok"))
    let stored = configuration.httpCookieStorage?.cookies?.map(\.name) ?? []
    return (fixture.server.log.snapshot().requests(for: "/ok").first?["Cookie"], stored.sorted())
  }

  @Test func `cookies are kept and sent unless something says otherwise`() async throws {
    #expect(try await sentAfter("/set") { _ in } == ("a=1", ["a"]))
  }

  @Test func `httpShouldSetCookies false keeps cookies and sends none`() async throws {
    #expect(try await sentAfter("/set") { $0.httpShouldSetCookies = false } == (nil, ["a"]))
  }

  @Test func `httpCookieStorage nil does neither`() async throws {
    #expect(try await sentAfter("/set") { $0.httpCookieStorage = nil } == (nil, []))
  }

  @Test func `the policy never keeps none, also of redirects (CK-08)`() async throws {
    #expect(try await sentAfter("/from") { $0.httpCookieAcceptPolicy = .never } == (nil, []))
  }

  @Test func `onlyFromMainDocumentDomain asks on each hop (CK-08)`() async throws {
    #expect(try await sentAfter("/from", mainDocument: "http://127.0.0.1/") { _ in } == ("b=1", ["b"]))
    #expect(try await sentAfter("/from", mainDocument: "http://www.test/") { _ in } == (nil, []))
    #expect(try await sentAfter("/from") { _ in } == ("b=1", ["a", "b"]))
  }

  @Test func `a session's own Cookie header stays with the host of the request`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["Cookie": "hand=1"]
    configuration.httpCookieStorage = nil
    let fixture = try Fixture(Self.routes, configuration: configuration)
    _ = try await fixture.session.data(for: try fixture.request("/from"))
    let log = fixture.server.log.snapshot()
    #expect(log.requests(for: "/from").first?["Cookie"] == "hand=1")
    #expect(log.requests(for: "/set").first.map { $0["Cookie"] } == .some(nil))
  }

  @Test func `every ephemeral configuration has a store of its own, in memory; default has the shared one (B.3)`()
    throws
  {
    let (one, other) = (URLSessionConfiguration.ephemeral, URLSessionConfiguration.ephemeral)
    let store = try #require(one.httpCookieStorage)
    #expect(store !== other.httpCookieStorage && store !== HTTPCookieStorage.shared)
    #expect((one.copy() as? URLSessionConfiguration)?.httpCookieStorage === store)
    #expect(URLSessionConfiguration.default.httpCookieStorage === HTTPCookieStorage.shared)
    #expect(URLSessionConfiguration.default.httpShouldSetCookies)
    #expect(URLSessionConfiguration.default.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain)
  }
}
