// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// Streams and connections of HTTP/2 that end before their time, on both APIs (RFC 9113).
@Suite struct StreamEndTests {
  private static let ok = Script.response(.text("ok"))

  /// Sends a POST of this size and returns its outcome.
  private func post(
    _ size: Int, to answer: Route.Answer, _ face: Face
  ) async throws -> (facts: Observation.Facts, bodies: [Int64]) {
    let server = try TestAuthority.server(.trusted, routes: [Route("/x", answer: answer)], protocols: ["h2"])
    defer { server.stop() }
    let client = Client(face)
    var request = URLRequest(url: try #require(URL(string: server.url("/x", host: "localhost"))))
    request.httpMethod = "POST"
    request.httpBody = Data(repeating: 7, count: size)
    let observation = client.start(request)
    #expect(await observation.hasEnded(within: .seconds(TestMachine.patience)))
    await client.close()
    let bodies = server.log.settled(within: .seconds(TestMachine.patience)).requests.map(\.bodyBytes)
    return (observation.facts, bodies)
  }

  @Test(arguments: Face.allCases)
  func `a whole answer before the end of an upload is the answer (H2-01)`(face: Face) async throws {
    let script = Script([.response(.text("enough")), .resetStreamApart(0)], readsBodyFirst: false)
    let (facts, _) = try await post(32 << 20, to: .script(script), face)
    #expect(facts.status == 200 && facts.body == Array("enough".utf8))
    #expect(facts.error == nil && facts.ends == 1 && facts.late == 0)
  }

  @Test(arguments: Face.allCases)
  func `an answer that is cut there is an error (H2-02)`(face: Face) async throws {
    let cut = Response(
      fields: [HeaderField("Content-Length", "100")], body: .bytes(Array("a part".utf8)), framing: .untilClose)
    let script = Script([.response(cut), .cutStream(0)], readsBodyFirst: false)
    let (facts, _) = try await post(32 << 20, to: .script(script), face)
    #expect((facts.error as? URLError)?.code == .networkConnectionLost && facts.ends == 1)
  }

  @Test(arguments: Face.allCases)
  func `a POST that the server has not worked on is repeated (H2-04, H2-05)`(face: Face) async throws {
    for step in [Step.goAway, .resetStream(7)] {
      let (facts, bodies) = try await post(300_000, to: .sequence([[step], Self.ok]), face)
      #expect(facts.status == 200 && facts.body == Array("ok".utf8) && facts.error == nil)
      #expect(bodies == [300_000, 300_000])
    }
  }

  @Test(arguments: Face.allCases)
  func `a GET on a used connection that closes before any answer is repeated, a POST is not (H2-06)`(
    face: Face
  ) async throws {
    for (method, status) in [("GET", 200), ("POST", nil)] as [(String, Int?)] {
      let routes = [Route("/x", answer: .sequence([[.drop], Self.ok])), Route("/ok", script: Self.ok)]
      let server = try TestAuthority.server(.trusted, routes: routes, protocols: ["h2"])
      defer { server.stop() }
      let client = Client(face)
      let first = URLRequest(url: try #require(URL(string: server.url("/ok", host: "localhost"))))
      #expect(await client.load(first).status == 200)
      var request = URLRequest(url: try #require(URL(string: server.url("/x", host: "localhost"))))
      request.httpMethod = method
      let facts = await client.load(request)
      #expect(facts.status == status && facts.ends == 1)
      #expect((facts.error as? URLError)?.code == (status == nil ? .networkConnectionLost : nil))
      await client.close()
      let log = server.log.settled(within: .seconds(TestMachine.patience))
      #expect(log.requests.filter { $0.target == "/x" }.count == (status == nil ? 1 : 2))
    }
  }
}
