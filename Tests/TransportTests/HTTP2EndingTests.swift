// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Transport

/// How streams and connections of HTTP/2 end before their time, and what that means for a request (RFC 9113).
@Suite struct HTTP2EndingTests {
  private static let refused: UInt32 = 7

  /// What became of a request to `/x` over HTTP/2, sent after one that made the connection if `isReused`.
  private func load(
    _ answer: Route.Answer, _ method: String, _ body: TransferBody = .none, isReused: Bool = false
  ) async throws -> (record: TransferProbe.Record, log: ServerLogSnapshot) {
    try await onThread {
      let authority = try CertificateAuthority()
      let server = LessonServer(
        routes: [Route("/x", answer: answer)] + Route.standard,
        tls: TLSSettings(authority: authority, protocols: ["h2"]))
      try server.start()
      defer { server.stop() }
      let transport = Transport(authorities: Array(authority.pem.utf8))
      if isReused {
        let first = TransferProbe()
        _ = transport.start(TransferRequest(url: server.url("/ok")), consumer: first)
        #expect(first.waitForEnd())
      }
      var request = TransferRequest(url: server.url("/x"), method: method)
      request.body = body
      request.idleTimeout = .seconds(TestMachine.patience / 2)
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
  func `RFC 9113 8.7: a refused stream of an idempotent request is repeated`(
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

  @Test func `a POST on a connection that closes before any answer is not`() async throws {
    let (record, log) = try await load(.sequence([[.drop], Self.ok]), "POST", Self.body, isReused: true)
    #expect(record.failure?.cause == .connectionLost)
    #expect(log.requests.filter { $0.target == "/x" }.count == 1)
  }
}
