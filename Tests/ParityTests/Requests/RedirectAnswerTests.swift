// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// The answers of a delegate to a redirect, and the parts of the request that go along where it leads: RD-08, RD-10, RD-12,
/// AU-02; A.7, B.13.
@Suite struct RedirectAnswerTests {
  private static let routes =
    Route.standard + [
      Route("/from", script: .response(Response(302, fields: [HeaderField("Location", "/1k")], body: .bytes([1, 2])))),
      Route(
        "/twice", script: .response(Response(307, fields: [HeaderField("Location", "/from")]))),
      Route("/kept", script: .response(Response(307, fields: [HeaderField("Location", "/echo")]))),
      Route("/cut", script: [.text("HTTP/1.1 302 Found\r\nLocation: /1k\r\nContent-Length: 9\r\n\r\n"), .end(.fin)]),
    ]

  private static func running() throws -> LessonServer {
    let server = LessonServer(routes: routes)
    try server.start()
    return server
  }

  private func request(_ url: String) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.timeoutInterval = TestMachine.patience
    return request
  }

  private func facts(_ observation: Observation) async -> Observation.Facts {
    #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
    #expect(observation.facts.ends == 1 && observation.facts.late == 0)
    return observation.facts
  }

  @Test(arguments: RedirectClient.faces)
  func `followed, each redirect is asked about and none is seen (RD-10)`(face: Face) async throws {
    let server = try Self.running()
    let client = RedirectClient(face) { _ in .follow }
    let facts = await facts(client.start(try request(server.url("/twice"))))
    #expect(facts.error == nil && facts.heads.count == 1 && facts.status == 200)
    #expect(facts.body == SeededBody(seed: 1).bytes(0..<1024))
    #expect(client.asked.withLock { $0.compactMap { $0.url?.path } } == ["/from", "/1k"])
  }

  @Test(arguments: RedirectClient.faces)
  func `refused, the redirect is the response, with its body (RD-10)`(face: Face) async throws {
    let server = try Self.running()
    let client = RedirectClient(face) { _ in .refuse }
    let facts = await facts(client.start(try request(server.url("/from"))))
    #expect(facts.error == nil && facts.status == 302 && facts.body == [1, 2])
    #expect(server.log.snapshot().requests(for: "/1k").isEmpty)
  }

  @Test(arguments: RedirectClient.faces)
  func `followed, a redirect may be cut behind its head (RD-12)`(face: Face) async throws {
    let server = try Self.running()
    let facts = await facts(RedirectClient(face) { _ in .follow }.start(try request(server.url("/cut"))))
    #expect(facts.error == nil && facts.status == 200 && facts.body.count == 1024)
  }

  @Test(arguments: RedirectClient.faces, ["POST", "PUT"])
  func `a request that must not be sent twice leaves the redirect's connection, which its server may close (RD-12)`(
    face: Face, method: String
  ) async throws {
    let server = try Self.running()
    var request = try request(server.url("/kept"))
    (request.httpMethod, request.httpBody) = (method, Data("body".utf8))
    let facts = await facts(RedirectClient(face) { _ in .follow }.start(request))
    #expect(facts.error == nil)
    let requests = server.log.settled(within: .seconds(TestMachine.patience)).requests
    #expect(requests.map(\.method) == [method, method])
    #expect(Set(requests.map(\.socket)).count == (method == "POST" ? 2 : 1))
  }

  @Test(arguments: RedirectClient.faces)
  func `refused, a redirect that is cut behind its head is a response that was cut (RD-12)`(face: Face) async throws {
    let server = try Self.running()
    let facts = await facts(RedirectClient(face) { _ in .refuse }.start(try request(server.url("/cut"))))
    #expect((facts.error as? URLError)?.code == .networkConnectionLost)
    #expect(server.log.snapshot().requests(for: "/1k").isEmpty)
  }

  @Test(arguments: RedirectClient.faces)
  func `another request is sent in place of the redirect's (RD-10)`(face: Face) async throws {
    let server = try Self.running()
    var other = try request(server.url("/echo"))
    other.httpMethod = "PUT"
    other.httpBody = Data("other".utf8)
    let client = RedirectClient(face) { [other] _ in .other(other) }
    let facts = await facts(client.start(try request(server.url("/from"))))
    #expect(facts.error == nil && facts.status == 200)
    let last = try #require(server.log.settled(within: .seconds(TestMachine.patience)).requests.last)
    #expect(last.method == "PUT" && last.target == "/echo" && last.bodyBytes == 5)
  }

  @Test(arguments: RedirectClient.faces)
  func `a cancel ends a connection in silence and a task with -999 (RD-10)`(face: Face) async throws {
    let server = try Self.running()
    let client = RedirectClient(face) { _ in .cancel }
    let observation = client.start(try request(server.url("/from")))
    if face == .connection {
      try await eventually { !client.asked.withLock { $0.isEmpty } }
      // Events that could follow would have come before the end of another load, which is delivered on the same queue.
      _ = await facts(client.start(try request(server.url("/ok"))))
      #expect(observation.facts.ends == 0 && observation.facts.status == nil)
    } else {
      #expect((await facts(observation).error as? URLError)?.code == .cancelled)
    }
    #expect(server.log.snapshot().requests(for: "/1k").isEmpty)
  }

  @Test(arguments: RedirectClient.faces.filter { $0 != .connection })
  func `of two answers the first counts (RD-10)`(face: Face) async throws {
    let server = try Self.running()
    let client = RedirectClient(face) { _ in .twice }
    let facts = await facts(client.start(try request(server.url("/from"))))
    #expect(facts.error == nil && facts.status == 200)
  }

  @Test(.enabled(if: TestMachine.keepsTime), arguments: RedirectClient.faces)
  func `without an answer no idle time runs, but the total time does (RD-10)`(face: Face) async throws {
    let server = try Self.running()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 0.4
    configuration.timeoutIntervalForResource = 2
    // A connection has no limit for the whole: its idle time has to be long enough for a busy machine's second request.
    let client = RedirectClient(face, configuration: configuration) { _ in
      .hold(seconds: face == .connection ? 12 : 4)
    }
    var request = URLRequest(url: try #require(URL(string: server.url("/from"))))
    if face == .connection { request.timeoutInterval = 10 }
    let start = ContinuousClock.now
    let facts = await facts(client.start(request))
    #expect(ContinuousClock.now - start >= .seconds(2))
    if face == .connection {
      #expect(facts.error == nil && facts.status == 200)
    } else {
      #expect((facts.error as? URLError)?.code == .timedOut)
    }
  }

  @Test(arguments: RedirectClient.faces)
  func `a program's own field goes along to another origin, its credentials do not (AU-02)`(face: Face)
    async throws
  {
    let (one, other) = (try Self.running(), try Self.running())
    var request = try request(one.url("/redirect/302?to=\(other.url("/ok"))"))
    request.setValue("kept", forHTTPHeaderField: "X-Own")
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    let client = RedirectClient(face) { _ in .follow }
    _ = await facts(client.start(request))
    let last = try #require(other.log.snapshot().requests.last)
    #expect(last["X-Own"] == "kept" && last["Authorization"] == nil)
    #expect(client.asked.withLock { $0.last?.value(forHTTPHeaderField: "Authorization") } == nil)
  }

  @Test(arguments: RedirectClient.faces)
  func `from https to http the delegate is asked, and no secret goes along (RD-08)`(face: Face) async throws {
    let folder = "/r\(UUID().uuidString.prefix(8))"
    let plain = try Self.running()
    let target = plain.url("\(folder)/end", host: "localhost")
    let secure = try TestAuthority.server(
      .trusted,
      routes: [
        Route(
          "\(folder)/set",
          script: .response(
            Response(
              fields: ["safe=1; Secure", "any=1"].map { HeaderField("Set-Cookie", "\($0); Path=\(folder)") }))),
        Route("\(folder)/down", script: .response(Response(302, fields: [HeaderField("Location", target)]))),
      ])
    let client = RedirectClient(face) { _ in .follow }
    #expect(await facts(client.start(try request(secure.url("\(folder)/set", host: "localhost")))).status == 200)
    var request = try request(secure.url("\(folder)/down", host: "localhost"))
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    request.setValue("https://localhost/private", forHTTPHeaderField: "Referer")
    let facts = await facts(client.start(request))
    #expect(facts.error == nil && facts.status == 404)
    #expect(client.asked.withLock { $0.map { $0.url?.absoluteString } } == [target])
    #expect(secure.log.snapshot().requests(for: "\(folder)/down").last?["Cookie"] == "safe=1; any=1")
    let last = try #require(plain.log.snapshot().requests.last)
    #expect(last["Cookie"] == "any=1")
    #expect(last["Authorization"] == nil && last["Referer"] == nil)
    secure.stop()
  }
}
