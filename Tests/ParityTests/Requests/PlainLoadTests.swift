// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// One scenario, both APIs: what goes well.
@Suite struct PlainLoadTests {
  private static let routes =
    Route.standard + [
      Route("/empty", script: .response(Response(204))),
      Route("/missing", script: .response(.text("no", 404))),
      Route(
        "/chunked", script: .response(Response(body: .seeded(seed: 1, range: 0..<300_000), framing: .chunked(999)))),
      Route("/open", script: .response(Response(body: .seeded(seed: 1, range: 0..<300_000), framing: .untilClose))),
      Route("/from", script: .response(Response(302, fields: [HeaderField("Location", "/body?size=300000")]))),
      Route(method: "POST", "/post", script: .response(.text("got it", 201))),
    ]

  private func load(_ path: String, on face: Face, body: Data? = nil) async throws -> (Observation.Facts, LessonServer)
  {
    let server = LessonServer(routes: Self.routes)
    try server.start()
    var request = URLRequest(url: try #require(URL(string: server.url(path))))
    if let body {
      request.httpMethod = "POST"
      request.httpBody = body
    }
    return (await Client.load(request, on: face), server)
  }

  @Test(arguments: Face.allCases, ["/body?size=300000", "/chunked", "/open", "/from"])
  func `the whole body arrives, however its end is told`(face: Face, path: String) async throws {
    let (facts, _) = try await load(path, on: face)
    #expect(facts.error == nil)
    #expect(facts.ends == 1)
    #expect(facts.status == 200)
    #expect(BodyChecksum(of: facts.body).value == SeededBody.checksum(seed: 1, size: 300_000))
  }

  @Test(arguments: Face.allCases) func `an empty body is a success`(face: Face) async throws {
    let (facts, _) = try await load("/empty", on: face)
    #expect(facts.error == nil)
    #expect(facts.status == 204)
    #expect(facts.body == [])
  }

  @Test(arguments: Face.allCases) func `a 404 is a response, not an error`(face: Face) async throws {
    let (facts, _) = try await load("/missing", on: face)
    #expect(facts.error == nil)
    #expect(facts.status == 404)
    #expect(facts.body == Array("no".utf8))
  }

  @Test(arguments: Face.allCases) func `a body in memory is sent with its length`(face: Face) async throws {
    let body = Data(SeededBody(seed: 1).bytes(0..<200_000))
    let (facts, server) = try await load("/post", on: face, body: body)
    #expect(facts.status == 201)
    let record = try #require(server.log.settled(within: .seconds(TestMachine.patience)).requests(for: "/post").first)
    #expect(record.bodyChecksum == SeededBody.checksum(seed: 1, size: 200_000))
    #expect(record["Content-Length"] == "200000")
  }

  @Test(arguments: Face.allCases) func `nothing listens: -1004`(face: Face) async throws {
    let port = ClosedPort()
    let facts = await Client.load(URLRequest(url: try #require(URL(string: port.url))), on: face)
    #expect((facts.error as? URLError)?.code == .cannotConnectToHost)
    #expect(facts.ends == 1)
  }
}
