// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// The properties that a response makes of its fields, in both APIs (A.7), and the target that goes out of a URL.
@Suite struct ResponseFieldTests {
  /// A load of a response whose head has these lines.
  private func load(_ lines: [String], body: String = "body", on face: Face) async throws -> Observation.Facts {
    let head = (["HTTP/1.1 200 OK"] + lines + ["", body]).joined(separator: "\r\n")
    let route = Route("/x", script: [.bytes(Array(head.utf8)), .end(.fin)])
    return try await LessonServer.serving([route]) { server in
      await Client.load(URLRequest(url: try #require(URL(string: server.url("/x")))), on: face)
    }
  }

  @Test(
    arguments: Face.allCases,
    [
      (["Content-Type: text/html ; charset=utf-8"], "text/html" as String?, "utf-8" as String?),
      (["Content-Type: Text/HTML; CHARSET=UTF-8"], "text/html", "utf-8"),
      (["Content-Type: text/html; x=\"; charset=a\"; charset=\"iso-8859-1\""], "text/html", "iso-8859-1"),
      (["Content-Type: text/html; charset=a", "content-type: text/plain"], "text/plain", nil),
      (["Content-Type: text/html; charset=a", "Content-Type: text/html"], "text/html", "a"),
      (["Content-Type: text/html", "Content-Type: nothing"], "text/html", nil), ([], nil, nil),
    ])
  func `Content-Type is read by its grammar (A.7)`(
    face: Face, fields: (lines: [String], type: String?, charset: String?)
  ) async throws {
    let facts = try await load(["Content-Length: 4"] + fields.lines, on: face)
    #expect(facts.error == nil && facts.body == Array("body".utf8))
    #expect(facts.mimeType == fields.type && facts.textEncoding == fields.charset, "\(fields)")
  }

  @Test(
    arguments: Face.allCases,
    [["Content-Length: 4, 4"], ["Content-Length: 4", "content-length: 4"], ["Content-Length:4 ,4,\t4"]])
  func `equal lengths are one length (A.7)`(face: Face, lines: [String]) async throws {
    // The bytes behind the body show that it ends there.
    let facts = try await load(lines, body: "bodyHTTP/1.1 999 Smuggled", on: face)
    #expect(facts.error == nil && facts.body == Array("body".utf8), "\(facts)")
    #expect(facts.expectedLength == 4)
    let cut = try await load(lines, body: "bod", on: face)
    #expect((cut.error as? URLError)?.code == .networkConnectionLost)
  }

  @Test(
    arguments: Face.allCases,
    [
      ["Content-Length: 4, 5"], ["Content-Length: 4", "Content-Length: 5"], ["Content-Length: 4,"],
      ["Content-Length: 4 4"],
    ])
  func `different lengths are none (A.7)`(face: Face, lines: [String]) async throws {
    let facts = try await load(lines, on: face)
    #expect((facts.error as? URLError)?.code == .cannotParseResponse && facts.status == nil)
  }

  @Test(arguments: Face.allCases)
  func `a path goes out as the program wrote it (A.7)`(face: Face) async throws {
    let paths = [
      "/a/./b", "/a/../ok", "/a/b/..", "/../x?q=/../y", "/a/%2E%2e/b", "/a//b/.", "/%e4%bD%a0?s=%2f%41", "/%7e?%7e",
    ]
    let routes = paths.map { Route(String($0.prefix { $0 != "?" }), script: .response(.text("ok"))) }
    try await LessonServer.serving(routes) { server in
      let client = Client(face)
      for path in paths {
        let facts = await client.load(URLRequest(url: try #require(URL(string: server.url(path)))))
        #expect(facts.status == 200 && facts.url?.absoluteString == server.url(path))
      }
      let targets = server.log.settled(within: .seconds(TestMachine.patience)).requests.map(\.target)
      #expect(targets == paths)
      await client.close()
    }
  }

  @Test(
    arguments: Face.allCases,
    [
      ("data:,x", "text/plain", "us-ascii" as String?), ("data:;base64,eA==", "text/plain", "us-ascii"),
      ("data:text/html%20;CHARSET=%22UTF-8%22,x", "text/html", "utf-8"), ("data:text/html,x", "text/html", nil),
      ("data:;charset=utf-8,x", "text/plain", "utf-8"),
    ])
  func `a data URL's media type is read as a field's (B.16)`(
    face: Face, row: (url: String, type: String, charset: String?)
  ) async throws {
    let facts = await Client.load(URLRequest(url: try #require(URL(string: row.url))), on: face)
    #expect(facts.error == nil && facts.body == Array("x".utf8))
    #expect(facts.mimeType == row.type && facts.textEncoding == row.charset, "\(row)")
  }
}
