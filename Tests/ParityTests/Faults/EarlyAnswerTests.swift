// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// H1-43: a server that answers before it has read an upload, and then resets (RFC 9112 section 9.6).
@Suite struct EarlyAnswerTests {
  private static let answer = Array("too large".utf8)

  private static func route(_ path: String, _ steps: [Step]) -> Route {
    Route(path, answer: .early { _ in Script(steps + [.end(.rst)], readsBodyFirst: false) })
  }

  private static let routes = [
    route("/whole", [.response(Response(413, body: .bytes(answer)))]),
    route("/cut", [.bytes(Response(413, body: .bytes(answer)).head), .bytes(Array(answer.dropLast()))]),
    route("/nothing", []),
    Route("/ok", script: .response(.text("ok"))),
  ]

  private func upload(_ client: Client, to url: String) async throws -> Observation.Facts {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = "POST"
    // More than the buffers of both sockets hold.
    request.httpBody = Data(repeating: 7, count: 8 << 20)
    return await client.load(request)
  }

  @Test(arguments: Face.allCases)
  func `a refusal that lies whole in the socket is the answer (H1-43)`(face: Face) async throws {
    try await LessonServer.serving(Self.routes) { server in
      let client = Client(face)
      let facts = try await upload(client, to: server.url("/whole"))
      #expect(facts.error == nil && facts.status == 413 && facts.body == Self.answer && facts.ends == 1)
      let next = await client.load(URLRequest(url: try #require(URL(string: server.url("/ok")))))
      #expect(next.error == nil && next.status == 200)
      await client.close()
    }
  }

  @Test(arguments: Face.allCases, ["/cut", "/nothing"])
  func `one that is cut, or missing, is a lost connection, and nothing is sent twice (H1-43)`(
    face: Face, path: String
  ) async throws {
    try await LessonServer.serving(Self.routes) { server in
      let client = Client(face)
      let facts = try await upload(client, to: server.url(path))
      #expect((facts.error as? URLError)?.code == .networkConnectionLost && facts.status != 200 && facts.ends == 1)
      #expect(server.log.counts.begun == 1)
      await client.close()
    }
  }
}
