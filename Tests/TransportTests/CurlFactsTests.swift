// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import HTTPRules
@testable import Transport

/// The table of facts about libcurl: that the running one shows what stands there, and what counts for others.
@Suite struct CurlFactsTests {
  private static let facts = CurlFacts.current

  @Test func `a version that is newer than any that was tried has what leads to an error`() throws {
    let newest = try #require(CurlFacts.tried.last)
    let newer = CurlFacts(version: newest + 1)
    #expect(newer.isUntried && newer.endsStreamsWithConnection && newer.showsChunks && !newer.forgetsLines)
    #expect(CurlFacts.tried.allSatisfy { !CurlFacts(version: $0).isUntried })
    #expect(CurlFacts.tried == CurlFacts.tried.sorted())
    #expect(CurlFacts(version: 0x08_0E_01).name == "8.14.1" && CurlFacts(version: 0x07_58_01).name == "7.88.1")
  }

  @Test func `chunks are judged where libcurl shows them, and else read by libcurl alone`() async throws {
    let size = ChunkJudge.extensionLimit + 100
    let text =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;" + String(repeating: "x", count: size)
      + "\r\nok\r\n0\r\n\r\n"
    let record = try await loadPlain(Script([.text(text), .end(.fin)]))
    #expect(record.failure?.cause == (Self.facts.showsChunks ? .responseTooLarge : nil))
  }

  @Test func `a head with two different Location fields is refused or has the first one`() async throws {
    let text = "HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
    let record = try await loadPlain(Script([.text(text), .end(.fin)]))
    #expect(record.failure?.cause == (Self.facts.refusesTwoLocations ? .malformedResponse : nil))
  }

  @Test func `a body that comes slowly in chunks is whole`() async throws {
    var steps: [Step] = [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")]
    for piece in ["5\r\n", "ab", "cde", "\r", "\n3\r\nfgh\r\n", "0\r\n", "\r\n"] {
      steps += [.delay(.milliseconds(30)), .text(piece)]
    }
    let record = try await loadPlain(Script(steps + [.end(.fin)]))
    #expect(record.failure == nil && record.body == Array("abcdefgh".utf8))
  }

  private func loadPlain(_ script: Script) async throws -> TransferProbe.Record {
    let server = LessonServer(routes: [Route("/x", answer: .script(script))])
    try server.start()
    defer { server.stop() }
    let transport = Transport()
    defer { transport.shutdown() }
    let probe = TransferProbe()
    _ = transport.start(TransferRequest(url: server.url("/x")), consumer: probe)
    #expect(probe.waitForEnd())
    return probe.record.withLock { $0 }
  }

  @Test func `a body without a length that is cut without an error is an error where libcurl tells of frames`()
    async throws
  {
    let response = Response(body: .bytes(Array("a part".utf8)), framing: .untilClose)
    let script = Script([.response(response), .cutStream(0)])
    let record = try await withHTTP2([Route("/x", answer: .script(script))]) { server, transport in
      let probe = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/x")), consumer: probe)
      #expect(probe.waitForEnd())
      return probe.record.withLock { $0 }
    }
    // 8.5.0 may read the head and the reset at once; the transfer turns the log on after both.
    if Self.facts.tellsResets, !Self.facts.tellsResetsAtOnce { return }
    #expect(record.failure?.cause == (Self.facts.tellsResetsAtOnce ? .connectionLost : nil))
  }
}
