// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// The rows of 4.8 on both APIs.
@Suite struct CacheTests {
  /// A server of the test's own, below a path that nobody else uses: NSURLConnection has one cache for the process.
  private struct Site {
    let server: LessonServer
    private let folder = "/c\(UUID().uuidString.prefix(8))"
    private let count = Locked(0)

    /// `answer` is given the number of the request.
    init(_ answer: @escaping @Sendable (Int, Request) -> Script) throws {
      server = LessonServer(
        routes: [
          Route("/*") { [count] request in
            let number = count.withLock { count in
              count += 1
              return count
            }
            return answer(number, request)
          }
        ])
      try server.start()
    }

    func request(_ path: String = "/x", _ change: (inout URLRequest) -> Void = { _ in }) throws -> URLRequest {
      var request = URLRequest(url: try #require(URL(string: server.url(folder + path))))
      request.timeoutInterval = TestMachine.patience
      change(&request)
      return request
    }

    var requests: [RequestRecord] { server.log.snapshot().requests }
  }

  /// Those that use the cache.
  private static let faces = Face.allCases.filter { $0 != .downloadTask }

  private static func text(_ facts: Observation.Facts) -> String { String(decoding: facts.body, as: UTF8.self) }

  @Test(arguments: CacheCase.all, faces)
  func `where the second answer comes from (A.9, 4.8)`(row: CacheCase, face: Face) async throws {
    let site = try Site { row.answer($0, to: $1) }
    let client = Client(face)
    _ = await client.load(try site.request { $0.allHTTPHeaderFields = row.first })
    let second = try site.request("/x" + row.query) { request in
      request.allHTTPHeaderFields = row.second
      request.cachePolicy = row.policy
    }
    let facts = await client.load(second)
    #expect(facts.error == nil)
    #expect(facts.status == row.status)
    let requests = site.requests
    let condition = requests.last?["If-None-Match"] ?? requests.last?["If-Modified-Since"]
    switch row.expected {
    case .fromCache:
      #expect(requests.count == 1 && Self.text(facts) == "1")
      #expect(facts.fields["age"] != nil)
    case .validated: #expect(requests.count == 2 && Self.text(facts) == "1" && condition != nil)
    case .loaded: #expect(requests.count == 2 && Self.text(facts) == "2" && condition == nil)
    }
    await client.close()
  }

  @Test(arguments: Face.allCases)
  func `returnCacheDataDontLoad without an entry ends with -1008 and asks nobody (A.9, CA-10)`(face: Face) async throws
  {
    let site = try Site { _, _ in .response(.text("ok")) }
    let client = Client(face)
    let facts = await client.load(try site.request { $0.cachePolicy = .returnCacheDataDontLoad })
    #expect((facts.error as? URLError)?.code == .resourceUnavailable)
    #expect(site.requests.isEmpty)
    await client.close()
  }

  @Test(arguments: faces)
  func `reloadIgnoringLocalAndRemoteCacheData asks caches on the way for a new response (A.9)`(face: Face) async throws
  {
    let site = try Site { _, _ in .response(.text("ok")) }
    let client = Client(face)
    _ = await client.load(try site.request { $0.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData })
    #expect(site.requests.first?["Cache-Control"] == "no-cache")
    #expect(site.requests.first?["Pragma"] == "no-cache")
    await client.close()
  }

  @Test(arguments: faces)
  func `a 304 brings the stored fields up to date, and the delegate sees 200 (A.9)`(face: Face) async throws {
    let site = try Site { number, _ in
      let fields = [
        HeaderField("ETag", "\"a\""), HeaderField("X-Number", "\(number)"),
        HeaderField("Cache-Control", number == 1 ? "no-cache" : "max-age=3600"),
      ]
      return .response(number == 1 ? Response(fields: fields, body: .bytes([49])) : Response(304, fields: fields))
    }
    let client = Client(face)
    for number in ["1", "2", "2"] {
      let facts = await client.load(try site.request())
      #expect(facts.status == 200 && Self.text(facts) == "1" && facts.fields["x-number"] == number)
    }
    #expect(site.requests.count == 2)
    // Connections of NSURLConnection belong to the process; other tests may have crowded this one out.
    if face.isSession { #expect(site.server.log.counts.opened == 1) }
    await client.close()
  }

  @Test(arguments: faces)
  func `a 304 with another tag is asked again, never mixed (CA-04)`(face: Face) async throws {
    let site = try Site { number, _ in
      let tag = HeaderField("ETag", number == 1 ? "\"a\"" : "\"b\"")
      let body = Response.Body.bytes(Array("\(number)".utf8))
      return .response(number == 2 ? Response(304, fields: [tag]) : Response(fields: [tag], body: body))
    }
    let client = Client(face)
    _ = await client.load(try site.request())
    let facts = await client.load(try site.request())
    #expect(facts.status == 200 && Self.text(facts) == "3" && facts.fields["etag"] == "\"b\"")
    #expect(site.requests.map { $0["If-None-Match"] } == [nil, "\"a\"", nil])
    await client.close()
  }

  @Test(arguments: faces)
  func `a 304 that nobody but the program asked for is the response (CA-04)`(face: Face) async throws {
    let site = try Site { _, _ in .response(Response(304, fields: [HeaderField("ETag", "\"a\"")])) }
    let client = Client(face)
    let facts = await client.load(try site.request { $0.setValue("\"a\"", forHTTPHeaderField: "If-None-Match") })
    #expect(facts.status == 304 && facts.error == nil)
    await client.close()
  }

  /// Answers that end before they are whole, or whose end nothing tells.
  private static let incomplete = [
    "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Length: 5\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
    "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u{1f}\u{8b}\u{8}\u{0}",
    "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nConnection: close\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Length: 2, 3\r\n\r\nok",
  ]

  @Test(arguments: incomplete, faces)
  func `what may be incomplete is never stored (CA-02, U9)`(answer: String, face: Face) async throws {
    let bytes = answer.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let site = try Site { number, _ in number == 1 ? [.bytes(bytes), .end(.fin)] : .response(.text("new")) }
    let client = Client(face)
    _ = await client.load(try site.request())
    #expect(Self.text(await client.load(try site.request { $0.cachePolicy = .returnCacheDataElseLoad })) == "new")
    await client.close()
  }

  private static let cacheable = HeaderField("Cache-Control", "max-age=3600")

  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH"], faces)
  func `a change makes what is stored doubtful, a failed one does not`(method: String, face: Face) async throws {
    let site = try Site { number, request in
      let fails = request.head.method != "GET" && number == 2
      return .response(
        Response(fails ? 500 : 200, fields: [Self.cacheable], body: .bytes(Array("\(number)".utf8))))
    }
    let client = Client(face)
    func text(_ method: String) async throws -> String {
      Self.text(await client.load(try site.request { $0.httpMethod = method }))
    }
    #expect(
      try await [text("GET"), text(method), text("GET"), text(method), text("GET")] == ["1", "2", "1", "3", "4"])
    await client.close()
  }

  @Test(arguments: Face.allCases)
  func `only GET is answered from the cache, and never a download`(face: Face) async throws {
    let site = try Site { number, _ in
      .response(Response(fields: [Self.cacheable], body: .bytes(Array("\(number)".utf8))))
    }
    let client = Client(face)
    _ = await client.load(try site.request())
    _ = await client.load(try site.request { $0.httpMethod = "HEAD" })
    #expect(site.requests.count == 2)
    let third = await client.load(try site.request())
    #expect(Self.text(third) == (face == .downloadTask ? "3" : "1"))
    await client.close()
  }

  @Test(arguments: faces)
  func `a stored response does not set its cookies again (CK-13)`(face: Face) async throws {
    let site = try Site { number, request in
      let cookie = HeaderField("Set-Cookie", number == 1 ? "cached=1" : "cached=; Max-Age=0")
      return .response(Response(fields: [Self.cacheable, cookie], body: .bytes(Array("\(number)".utf8))))
    }
    let client = Client(face)
    _ = await client.load(try site.request())
    _ = await client.load(try site.request("/away"))
    #expect(Self.text(await client.load(try site.request())) == "1")
    _ = await client.load(try site.request("/end"))
    #expect(site.requests.map { $0["Cookie"] } == [nil, "cached=1", nil])
    await client.close()
  }

  @Test(arguments: faces)
  func `a large body comes whole from the cache`(face: Face) async throws {
    let site = try Site { _, _ in
      .response(Response(fields: [Self.cacheable], body: .seeded(seed: 1, range: 0..<200_000)))
    }
    let client = Client(face)
    _ = await client.load(try site.request())
    let facts = await client.load(try site.request())
    #expect(BodyChecksum(of: facts.body).value == SeededBody.checksum(seed: 1, size: 200_000))
    #expect(site.requests.count == 1)
    await client.close()
  }
}
