// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// The rows of 4.7 on both APIs.
@Suite struct CookieTests {
  /// A host below localhost that nobody else uses, and a server that plays its part.
  private struct Site {
    let server: LessonServer
    let name = "w\(UUID().uuidString.prefix(8).lowercased()).localhost"

    init(_ routes: (_ name: String) -> [Route]) throws {
      server = LessonServer(routes: routes(name) + [Route("/*", script: .response(.text("ok")))])
      try server.start()
    }

    func request(_ path: String, at host: String = "") throws -> URLRequest {
      let prefix = host.isEmpty ? "" : host + "."
      var request = URLRequest(url: try #require(URL(string: "http://\(prefix)\(name):\(server.port)\(path)")))
      request.timeoutInterval = TestMachine.patience
      return request
    }

    /// The Cookie fields of the requests for a path, as the server saw them.
    func cookies(for path: String) -> [String?] {
      server.log.snapshot().requests(for: path).map { $0["Cookie"] }
    }
  }

  @Test(arguments: CookieCase.all, Face.allCases)
  func `4.7: a server sets cookies, and later requests carry those they match`(row: CookieCase, face: Face) async throws
  {
    let site = try Site { name in
      [
        Route("/*") { request in
          request[query: "first"] == nil ? .response(.text("ok")) : [.bytes(row.answer(host: name)), .end(.fin)]
        }
      ]
    }
    let client = Client(face)
    _ = await client.load(try site.request(row.path + "?first=1", at: row.host))
    for (number, visit) in row.visits.enumerated() {
      let path = visit.path + "?\(number)"
      _ = await client.load(try site.request(path, at: visit.host))
      #expect(site.server.log.snapshot().requests.last { $0.target == path }?["Cookie"] == visit.cookie, "\(visit)")
    }
    await client.close()
  }

  private static func redirect(to target: String, setting cookie: String) -> Script {
    let fields = [HeaderField("Location", target), HeaderField("Set-Cookie", cookie)]
    return .response(Response(302, fields: fields))
  }

  @Test(arguments: Face.allCases)
  func `a redirect's cookie goes with the next request, and each hop has its own (CK-13, B.13)`(face: Face) async throws
  {
    let site = try Site { _ in
      [
        Route("/from", script: Self.redirect(to: "/dir/to", setting: "hop=1; Path=/dir")),
        Route("/dir/to", script: Self.redirect(to: "/end", setting: "next=2; Path=/")),
      ]
    }
    let client = Client(face)
    let facts = await client.load(try site.request("/from"))
    #expect(facts.status == 200)
    #expect(site.cookies(for: "/from") == [nil])
    #expect(site.cookies(for: "/dir/to") == ["hop=1"])
    #expect(site.cookies(for: "/end") == ["next=2"])
    await client.close()
  }

  @Test(arguments: Face.allCases)
  func `a program's own field gives way to stored cookies and does not cross origins (CK-12)`(face: Face) async throws {
    let site = try Site { name in
      [
        Route("/same", script: .response(Response(302, fields: [HeaderField("Location", "/landed")]))),
        Route("/cross") { request in
          let port = request.head["Host"]?.split(separator: ":").last ?? ""
          return .response(Response(302, fields: [HeaderField("Location", "http://other.\(name):\(port)/landed")]))
        },
        Route("/set", script: .response(Response(fields: [HeaderField("Set-Cookie", "jar=1")]))),
      ]
    }
    let client = Client(face)
    func loadByHand(_ path: String) async throws {
      var request = try site.request(path)
      request.setValue("hand=1", forHTTPHeaderField: "Cookie")
      _ = await client.load(request)
    }
    try await loadByHand("/same")
    try await loadByHand("/cross")
    #expect(site.cookies(for: "/landed") == ["hand=1", nil])
    _ = await client.load(try site.request("/set"))
    try await loadByHand("/same")
    #expect(site.cookies(for: "/same") == ["hand=1", "jar=1"])
    await client.close()
  }

  @Test(arguments: Face.allCases)
  func `a Host field by hand neither goes out nor chooses cookies (CK-14)`(face: Face) async throws {
    let site = try Site { _ in [Route("/set", script: .response(Response(fields: [HeaderField("Set-Cookie", "a=1")])))]
    }
    let client = Client(face)
    var request = try site.request("/set", at: "sub")
    request.setValue(site.name, forHTTPHeaderField: "Host")
    _ = await client.load(request)
    _ = await client.load(try site.request("/next"))
    _ = await client.load(try site.request("/next", at: "sub"))
    #expect(site.cookies(for: "/next") == [nil, "a=1"])
    #expect(site.server.log.snapshot().requests.first?["Host"] == "sub.\(site.name):\(site.server.port)")
    await client.close()
  }

  @Test(arguments: Face.allCases)
  func `httpShouldHandleCookies false neither sends nor keeps, but a field by hand goes`(face: Face) async throws {
    let site = try Site { _ in [Route("/set", script: .response(Response(fields: [HeaderField("Set-Cookie", "a=1")])))]
    }
    let client = Client(face)
    var request = try site.request("/set")
    request.httpShouldHandleCookies = false
    _ = await client.load(request)
    _ = await client.load(try site.request("/first"))
    _ = await client.load(try site.request("/set"))
    var byHand = try site.request("/second")
    byHand.httpShouldHandleCookies = false
    byHand.setValue("hand=1", forHTTPHeaderField: "Cookie")
    _ = await client.load(byHand)
    _ = await client.load(try site.request("/second"))
    #expect(site.cookies(for: "/first") == [nil])
    #expect(site.cookies(for: "/second") == ["hand=1", "a=1"])
    await client.close()
  }
}
