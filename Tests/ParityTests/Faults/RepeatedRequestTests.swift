// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// The mistakes that a server must not see: a request twice, or one in place of another's body (RFC 9110 section 9.2.2, RFC
/// 9112 sections 6.2 and 9.3).
@Suite struct RepeatedRequestTests {
  private static let ok = Route("/ok", script: .response(.text("ok")))

  private func request(_ server: LessonServer, _ path: String, _ method: String = "POST", body: Data? = nil) throws
    -> URLRequest
  {
    var request = URLRequest(url: try #require(URL(string: server.url(path))))
    (request.httpMethod, request.httpBody) = (method, body)
    return request
  }

  private func count(_ path: String, in server: LessonServer) -> Int {
    requests(path, in: server).count
  }

  private func requests(_ path: String, in server: LessonServer) -> [RequestRecord] {
    server.log.settled(within: .seconds(TestMachine.patience)).requests.filter { $0.target == path }
  }

  @Test(arguments: Face.allCases, [Ending.fin, .rst, .abruptClose])
  func `a POST that a kept-alive connection took is never sent again`(face: Face, ending: Ending) async throws {
    let head = Route("/head", answer: .early { _ in Script([.end(ending)], readsBodyFirst: false) })
    let whole = Route("/whole", script: Script([.end(ending)]))
    try await LessonServer.serving([Self.ok, head, whole]) { server in
      let client = Client(face)
      for (path, body) in [
        ("/head", nil), ("/whole", nil), ("/head", Data("body".utf8)), ("/whole", Data("body".utf8)),
      ] {
        let first = await client.load(try request(server, "/ok", "GET"))
        #expect(first.status == 200)
        let before = count(path, in: server)
        let facts = await client.load(try request(server, path, body: body))
        #expect((facts.error as? URLError)?.code == .networkConnectionLost, "\(path)")
        #expect(count(path, in: server) == before + 1, "\(path)")
      }
      await client.close()
    }
  }

  @Test(arguments: Face.allCases)
  func `a GET that a kept-alive connection lost is sent once more`(face: Face) async throws {
    let lost = Route("/lost", script: Script([.end(.fin)]))
    try await LessonServer.serving([Self.ok, lost]) { server in
      let client = Client(face)
      _ = await client.load(try request(server, "/ok", "GET"))
      let facts = await client.load(try request(server, "/lost", "GET"))
      #expect((facts.error as? URLError)?.code == .networkConnectionLost && count("/lost", in: server) == 2)
      await client.close()
    }
  }

  @Test(arguments: Face.allCases, [false, true])
  func `a GET that came too late for an idle connection is sent once more, on a new one (RFC 9110, 15.5.9)`(
    face: Face, isAlways: Bool
  ) async throws {
    let late = Response(408, fields: [HeaderField("Connection", "close")], body: .bytes([1]))
    let idle = Route("/idle") { request in
      request.turn > 1 || isAlways ? Script([.response(late), .end(.fin)]) : .response(.text("ok"))
    }
    try await LessonServer.serving([Self.ok, idle]) { server in
      let client = Client(face)
      for (method, tries) in [("GET", 2), ("HEAD", 2), ("POST", 1)] {
        _ = await client.load(try request(server, "/ok", "GET"))
        let before = count("/idle", in: server)
        let facts = await client.load(try request(server, "/idle", method))
        #expect(facts.error == nil && facts.status == (tries == 2 && !isAlways ? 200 : 408), "\(method)")
        #expect(count("/idle", in: server) == before + tries, "\(method)")
      }
      // A connection that is new says so for itself.
      await client.close()
      let fresh = Client(face)
      let before = count("/idle", in: server)
      #expect(await fresh.load(try request(server, "/idle", "GET")).status == (isAlways ? 408 : 200))
      #expect(count("/idle", in: server) == before + 1)
      await fresh.close()
    }
  }

  @Test(arguments: Face.allCases, ["PUT", "POST"])
  func `a stream that is longer or shorter than its Content-Length fails at once`(face: Face, method: String)
    async throws
  {
    let store = Route("/store", script: .response(.text("stored")))
    try await LessonServer.serving([Self.ok, store]) { server in
      let client = Client(face)
      let smuggled = "helloGET /ok HTTP/1.1\r\nHost: a\r\n\r\n"
      for length in [5, 0] {
        for text in [smuggled, "hell", "", "hello"] {
          var put = try request(server, "/store", method)
          put.setValue("\(length)", forHTTPHeaderField: "Content-Length")
          put.httpBodyStream = InputStream(data: Data(text.utf8))
          let facts = await client.load(put)
          let code: URLError.Code? = text.utf8.count == length ? nil : .requestBodyStreamExhausted
          #expect((facts.error as? URLError)?.code == code, "\(length), \(text): \(facts)")
        }
      }
      let next = await client.load(try request(server, "/ok", "GET"))
      #expect(next.status == 200 && count("/ok", in: server) == 1)
      await client.close()
    }
  }

  @Test(arguments: Face.allCases)
  func `an answer before announced content ends the connection`(face: Face) async throws {
    let early = Route("/early", answer: .early { _ in Script([.response(.text("early"))], readsBodyFirst: false) })
    try await LessonServer.serving([Self.ok, early]) { server in
      let client = Client(face)
      for _ in 1...3 {
        var post = try request(server, "/early", body: Data(repeating: 7, count: 100_000))
        post.setValue("100-continue", forHTTPHeaderField: "Expect")
        let facts = await client.load(post)
        #expect(facts.error == nil && facts.status == 200)
        let next = await client.load(try request(server, "/ok", "GET"))
        #expect(next.status == 200 && next.body == Array("ok".utf8))
      }
      #expect(count("/ok", in: server) == 3)
      await client.close()
    }
  }

  @Test(arguments: Face.allCases)
  func `an expectation goes neither behind a 303 nor behind a 417`(face: Face) async throws {
    let other = Route(
      "/other", script: .response(Response(303, fields: [HeaderField("Location", "/ok")], body: .bytes([]))))
    let refusing = Route(
      "/refusing",
      answer: .early {
        $0.head["Expect"] == nil
          ? .response(.text("taken"))
          : Script([.response(Response(417, body: .bytes(Array("no".utf8))))], readsBodyFirst: false)
      })
    try await LessonServer.serving([Self.ok, other, refusing]) { server in
      let client = Client(face)
      for (path, end) in [("/other", "ok"), ("/refusing", "taken")] {
        var post = try request(server, path, body: Data("body".utf8))
        post.setValue("100-continue", forHTTPHeaderField: "Expect")
        let facts = await client.load(post)
        #expect(facts.error == nil && facts.status == 200 && facts.body == Array(end.utf8), "\(path): \(facts)")
        #expect(facts.heads.count == 1 && facts.ends == 1)
      }
      #expect(requests("/ok", in: server).allSatisfy { $0["Expect"] == nil })
      await client.close()
    }
  }
}
