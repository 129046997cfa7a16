// SPDX-License-Identifier: Apache-2.0
import LessonServer
import ServerParts
import SessionAPI
import TestSupport
import Testing

/// The effects of content codings on lengths and ranges: CE-01, CE-07; A.7, B.16.
@Suite struct CodingTests {
  private static let text = Array("hello, hello, hello".utf8)
  private static let gzipped = StoredCoding.gzip(text)
  private static let coding = HeaderField("Content-Encoding", "gzip")

  @Test(arguments: Face.allCases)
  func `the length of a body that is decoded, or comes in chunks, is not known before (CE-01)`(face: Face) async throws
  {
    let server = LessonServer(routes: [
      Route("/coded", script: .response(Response(fields: [Self.coding], body: .bytes(Self.gzipped)))),
      Route("/chunks", script: .response(Response(body: .bytes(Self.text), framing: .chunked(4)))),
      Route("/plain", script: .response(Response(body: .bytes(Self.text)))),
      Route(
        "/unknown", script: .response(Response(fields: [HeaderField("Content-Encoding", "x-none")], body: .bytes([1])))),
    ])
    try server.start()
    for (path, body, length) in [
      ("/coded", Self.text, -1), ("/chunks", Self.text, -1), ("/plain", Self.text, Self.text.count),
      ("/unknown", [1], 1),
    ] {
      let facts = await Client.load(URLRequest(url: try #require(URL(string: server.url(path)))), on: face)
      #expect(facts.error == nil && facts.body == body, "\(path)")
      #expect(facts.expectedLength == Int64(length), "\(path)")
      // The field stands there as it was sent.
      if path == "/coded" { #expect(facts.fields["content-length"] == "\(Self.gzipped.count)") }
    }
  }

  @Test(arguments: Face.allCases)
  func `a range is asked for without coding, and what comes is not decoded (CE-07)`(face: Face) async throws {
    let part = Array(Self.gzipped[3...])
    let range = HeaderField("Content-Range", "bytes 3-\(Self.gzipped.count - 1)/\(Self.gzipped.count)")
    let server = LessonServer(routes: [
      Route("/part", script: .response(Response(206, fields: [Self.coding, range], body: .bytes(part))))
    ])
    try server.start()
    var request = URLRequest(url: try #require(URL(string: server.url("/part"))))
    request.setValue("bytes=3-", forHTTPHeaderField: "Range")
    let facts = await Client.load(request, on: face)
    #expect(facts.error == nil && facts.status == 206)
    #expect(facts.body == part)
    #expect(facts.expectedLength == Int64(part.count))
    request.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
    _ = await Client.load(request, on: face)
    #expect(server.log.snapshot().requests.map { $0["Accept-Encoding"] } == ["identity", "gzip"])
  }

  @Test(arguments: Face.allCases, [false, true])
  func `both APIs ask for codings as Apple does, for Brotli over TLS alone (B.16)`(face: Face, isSecure: Bool)
    async throws
  {
    let text = Array("an answer in the coding that was asked for".utf8)
    let fields = [HeaderField("Content-Encoding", "br"), HeaderField("Cache-Control", "no-store")]
    let coded = Response(fields: fields, body: .bytes(StoredCoding.brotli(text)))
    let plain = Response(fields: Array(fields.dropFirst()), body: .bytes(text))
    let routes = [
      Route("/x") { request in
        .response(request.head["Accept-Encoding"]?.contains("br") == true ? coded : plain)
      }
    ]
    let server = try isSecure ? TestAuthority.server(.trusted, routes: routes) : LessonServer(routes: routes)
    if !isSecure { try server.start() }
    defer { server.stop() }
    let url = try #require(URL(string: server.url("/x", host: "localhost")))
    let facts = await Client.load(URLRequest(url: url), on: face)
    #expect(facts.error == nil && facts.body == text)
    let asked = server.log.snapshot().requests.map { $0["Accept-Encoding"] }
    #expect(asked == [isSecure ? "gzip, deflate, br" : "gzip, deflate"])
  }
}
