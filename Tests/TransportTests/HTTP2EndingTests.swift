// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import HTTPRules
@testable import Transport

/// How streams and connections of HTTP/2 end before their time, and what that means for a request (RFC 9113).
@Suite struct HTTP2EndingTests {
  private static let refused: UInt32 = 7

  /// What became of a request to `/x` over HTTP/2, sent after one that made the connection if `isReused`.
  private func load(
    _ answer: Route.Answer, _ method: String, _ body: TransferBody = .none, isReused: Bool = false,
    idle: Duration = .seconds(TestMachine.patience / 2)
  ) async throws -> (record: TransferProbe.Record, log: ServerLogSnapshot) {
    try await withHTTP2([Route("/x", answer: answer)]) { server, transport in
      if isReused {
        let first = TransferProbe()
        _ = transport.start(TransferRequest(url: server.url("/ok")), consumer: first)
        #expect(first.waitForEnd())
      }
      var request = TransferRequest(url: server.url("/x"), method: method)
      request.body = body
      request.idleTimeout = idle
      let probe = TransferProbe()
      _ = transport.start(request, consumer: probe)
      #expect(probe.waitForEnd())
      return (probe.record.withLock { $0 }, server.log.snapshot())
    }
  }

  /// Made for each use: a leak checker cannot follow the tagged pointer that a stored one would keep.
  private static var body: TransferBody { .bytes(Data(repeating: 7, count: 300_000)) }
  private static let ok = Script.response(.text("ok"))

  @Test(arguments: [("GET", TransferBody.none), ("PUT", body)])
  func `a refused stream of an idempotent request is repeated (RFC 9113 8.7)`(
    request: (method: String, body: TransferBody)
  ) async throws {
    let refusal = Script([.resetStream(Self.refused)])
    let (record, log) = try await load(.sequence([refusal, Self.ok]), request.method, request.body)
    #expect(record.failure == nil && record.body == Array("ok".utf8))
    #expect(log.requests.filter { $0.target == "/x" }.count == 2)
  }

  @Test func `a server that goes on refusing is not asked without end`() async throws {
    let refusal = Script([.resetStream(Self.refused)])
    let (record, _) = try await load(.script(refusal), "GET")
    #expect(record.failure?.cause == .connectionLost)
  }

  // MARK: An answer before the request's end

  /// The answer to a body of which only a part is ever sent, and what comes behind it.
  private func answered(
    _ response: Response, _ last: Step, to method: String = "POST"
  ) async throws -> TransferProbe.Record {
    let script = Script([.response(response), last], readsBodyFirst: false)
    return try await load(.script(script), method, Self.large).record
  }

  /// More than the server takes before it answers.
  private static var large: TransferBody { .bytes(Data(repeating: 7, count: 64 << 20)) }

  @Test(arguments: [200, 403], ["POST", "PUT"])
  func `a whole answer before the end of an upload, then a reset without error, is the answer (H2-01)`(
    status: Int, method: String
  ) async throws {
    let record = try await answered(.text("enough", status), .resetStreamApart(0), to: method)
    #expect(record.failure == nil && record.head?.status == status && record.body == Array("enough".utf8))
  }

  @Test(arguments: [200, 403])
  func `a whole answer behind which the server cancels the stream is the answer (H2-01)`(status: Int) async throws {
    for method in ["POST", "PUT"] {
      let record = try await answered(.text("enough", status), .resetStreamApart(8), to: method)
      #expect(record.failure == nil && record.head?.status == status && record.body == Array("enough".utf8))
    }
    let response = Response(body: .bytes(Array("a part".utf8)), framing: .untilClose)
    #expect(try await answered(response, .resetStreamApart(8)).failure?.cause == .connectionLost)
  }

  @Test func `so is one without a body (H2-01)`() async throws {
    let record = try await answered(Response(204), .resetStreamApart(0))
    #expect(record.failure == nil && record.head?.status == 204)
  }

  @Test func `an answer that is cut by a reset without error is none (H2-02)`() async throws {
    let response = Response(
      fields: [HeaderField("Content-Length", "100")], body: .bytes(Array("a part".utf8)), framing: .untilClose)
    let record = try await answered(response, .cutStream(0))
    #expect(record.failure?.cause == .connectionLost && record.head?.status == 200)
    let (loaded, _) = try await load(.script([.response(response), .cutStream(0)]), "GET")
    #expect(loaded.failure?.cause == .connectionLost)
  }

  @Test func `nor is one whose length is not known (H2-02)`() async throws {
    let response = Response(body: .bytes(Array("a part".utf8)), framing: .untilClose)
    for last in [Step.cutStream(0), .resetStreamApart(0)] {
      #expect(try await answered(response, last).failure?.cause == .connectionLost)
    }
  }

  @Test func `nor is one that the server ends with an error (H2-02)`() async throws {
    #expect(try await answered(.text("enough"), .resetStreamApart(2)).failure?.cause == .connectionLost)
  }

  @Test func `an answer in one record with its reset ends at once, and where libcurl loses it, with an error (H2-03)`()
    async throws
  {
    let record = try await answered(.text("enough"), .resetStream(0))
    guard CurlFacts.current.losesAnswerBeforeReset else {
      #expect(record.failure == nil && record.body == Array("enough".utf8))
      return
    }
    #expect(record.failure?.cause == .connectionLost && record.head == nil)
  }

  /// A piece, and then nothing more.
  private final class Stalling: BodySource {
    private let hasGiven = Locked(false)

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
      hasGiven.withLock { hasGiven in
        defer { hasGiven = true }
        return hasGiven ? .wait : .bytes(buffer.count)
      }
    }

    func rewind() -> Bool { false }
  }

  @Test(arguments: [false, true])
  func `an upload that stands still behind its whole answer ends with that answer (H2-07)`(
    isReset: Bool
  ) async throws {
    let script = Script([.response(.text("enough")), isReset ? .resetStreamApart(0) : .stall], readsBodyFirst: false)
    let body = TransferBody.source(Stalling(), length: nil)
    let (record, _) = try await load(.script(script), "POST", body, idle: .seconds(2))
    #expect(record.failure == nil && record.body == Array("enough".utf8))
  }

  // MARK: What is repeated

  @Test(arguments: [false, true])
  func `a request above the last stream of a GOAWAY is repeated, whatever its method (H2-04)`(
    isReused: Bool
  ) async throws {
    for (method, body) in [("GET", TransferBody.none), ("POST", Self.body)] {
      let (record, log) = try await load(.sequence([[.goAway], Self.ok]), method, body, isReused: isReused)
      #expect(record.failure == nil && record.body == Array("ok".utf8), "\(method)")
      let requests = log.requests.filter { $0.target == "/x" }
      #expect(Set(requests.map(\.socket)).count == 2)
      if method == "POST" { #expect(requests.last?.bodyBytes == 300_000) }
    }
  }

  @Test func `a refused POST is repeated with its body (H2-05)`() async throws {
    let refusal = Script([.resetStream(Self.refused)])
    let (record, log) = try await load(.sequence([refusal, Self.ok]), "POST", Self.body)
    #expect(record.failure == nil && record.body == Array("ok".utf8))
    #expect(log.requests.filter { $0.target == "/x" }.map(\.bodyBytes).last == 300_000)
  }

  @Test func `a GET on a used connection that closes before any answer is repeated once (H2-06)`() async throws {
    let (record, log) = try await load(.sequence([[.drop], Self.ok]), "GET", isReused: true)
    #expect(record.failure == nil && record.body == Array("ok".utf8))
    #expect(log.requests.filter { $0.target == "/x" }.count == 2)
    let (lost, twice) = try await load(.script([.drop]), "GET", isReused: true)
    #expect(lost.failure?.cause == .connectionLost)
    #expect(twice.requests.filter { $0.target == "/x" }.count == 2)
  }

  @Test func `a GET on a new one is not (H2-06)`() async throws {
    let (record, log) = try await load(.sequence([[.drop], Self.ok]), "GET")
    #expect(record.failure?.cause == .connectionLost)
    #expect(log.requests.filter { $0.target == "/x" }.count == 1)
  }

  @Test func `a POST on a connection that closes before any answer is not`() async throws {
    let (record, log) = try await load(.sequence([[.drop], Self.ok]), "POST", Self.body, isReused: true)
    #expect(record.failure?.cause == .connectionLost)
    #expect(log.requests.filter { $0.target == "/x" }.count == 1)
  }
}
