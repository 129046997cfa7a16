// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LessonServer

/// The head of the answer in the log.
@Suite struct AnswerHeadTests {
  private static func head(of sent: String, inPiecesOf size: Int) -> String {
    var head = AnswerHead()
    let bytes = Array(sent.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { head.take($0) }
    }
    return String(decoding: head.whole, as: UTF8.self)
  }

  @Test(arguments: [1, 3, 4096]) func `it ends with the empty line, however it is cut`(_ size: Int) {
    let ok = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
    #expect(Self.head(of: ok + "body\r\n\r\nmore", inPiecesOf: size) == ok)
    #expect(
      Self.head(of: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nLink: y\r\n\r\n" + ok, inPiecesOf: size) == ok)
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"
    #expect(Self.head(of: upgrade + "frames", inPiecesOf: size) == upgrade)
    #expect(Self.head(of: "HTTP/1.0 200 OK\nA: b\n\nbody", inPiecesOf: size) == "HTTP/1.0 200 OK\nA: b\n\n")
    for none in ["", "HTTP/1.1 200 OK\r\nA: b\r\n", "nonsense\r\n\r\n", "\r\n\r\n"] {
      #expect(Self.head(of: none, inPiecesOf: size).isEmpty)
    }
    #expect(
      Self.head(of: "HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 20_000))\r\n\r\n", inPiecesOf: size).isEmpty)
  }

  @Test func `the log has it of every kind of answer`() async throws {
    let raw = "HTTP/1.1 200 Fine\r\nset-cookie: a=b\r\nSet-Cookie: c=d\r\nContent-Length: 0\r\n\r\n"
    let server = try startedServer([Route("/raw", script: [.bytes(Array(raw.utf8))])] + Route.standard)
    try await onThread {
      let client = try TestClient(server)
      for path in ["/ok", "/raw", "/none", "/1k"] { _ = try client.get(path) }
    }
    let log = server.log.settled(within: .seconds(90))
    #expect(log.requests[0].answerLines.first == "HTTP/1.1 200 OK" && log.requests[0].answerLines.count > 1)
    #expect(
      log.requests[1].answerLines
        == ["HTTP/1.1 200 Fine", "set-cookie: a=b", "Set-Cookie: c=d", "Content-Length: 0"])
    #expect(log.requests[2].answerLines.first == "HTTP/1.1 404 Not Found")
    #expect(log.requests[3].answerLines.contains("Content-Length: 1024"))
  }
}
