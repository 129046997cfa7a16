// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Transport

@testable import HTTPRules

/// A server and a transport for one test, on a thread of its own.
func withServer(
  _ routes: [Route] = [], connectionsPerHost: Int = 6,
  _ body: @escaping @Sendable (LessonServer, Transport) throws -> Void
) async throws {
  try await onThread {
    let server = LessonServer(routes: routes + Route.standard)
    try server.start()
    defer { server.stop() }
    try body(server, Transport(connectionsPerHost: connectionsPerHost))
  }
}

/// The same over HTTP/2.
func withHTTP2<Value: Sendable>(
  _ routes: [Route], _ body: @escaping @Sendable (LessonServer, Transport) throws -> Value
) async throws -> Value {
  try await onThread {
    let authority = try CertificateAuthority()
    let server = LessonServer(
      routes: routes + Route.standard, tls: TLSSettings(authority: authority, protocols: ["h2"]))
    try server.start()
    defer { server.stop() }
    return try body(server, Transport(authorities: Array(authority.pem.utf8)))
  }
}

extension TransferProbe {
  func checksum() -> UInt64 {
    record.withLock { record in BodyChecksum(of: record.body).value }
  }
}

@Suite struct TransferTests {
  @Test func `a GET brings head and body and one end`() async throws {
    try await withServer { server, transport in
      let probe = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/body?size=1MiB&seed=3")), consumer: probe)
      #expect(probe.waitForEnd())
      let record = probe.record.withLock { $0 }
      #expect(record.failure == nil)
      #expect(record.head?.status == 200)
      #expect(record.head?.contentLength == 1_048_576)
      #expect(probe.checksum() == SeededBody.checksum(seed: 3, size: 1_048_576))
      #expect(record.ends == 1)
      #expect(record.afterEnd == 0)
      #expect(record.metrics.responseBodyBytes == 1_048_576)
      #expect(record.metrics.remoteAddress == "127.0.0.1")
      #expect(record.metrics.protocolName == "http/1.1")
      #expect(!record.metrics.isReusedConnection)
    }
  }

  @Test func `a second request uses the connection of the first`() async throws {
    try await withServer { server, transport in
      for turn in 0..<3 {
        let probe = TransferProbe()
        _ = transport.start(TransferRequest(url: server.url("/ok")), consumer: probe)
        #expect(probe.waitForEnd())
        #expect(probe.record.withLock { $0.metrics.isReusedConnection } == (turn > 0))
      }
      #expect(server.log.counts.opened == 1)
    }
  }

  /// libcurl is given a URL that was taken apart before, the last one's parts where it is the same.
  @Test func `each request goes to its own URL, and one that is none fails`() async throws {
    try await withServer { server, transport in
      for (path, size) in [("/body?size=5", 5), ("/body?size=5", 5), ("/body?size=7", 7), ("/body?x&size=5", 5)] {
        let probe = TransferProbe()
        _ = transport.start(TransferRequest(url: server.url(path)), consumer: probe)
        #expect(probe.waitForEnd())
        #expect(probe.record.withLock { $0.body.count } == size)
      }
      let probe = TransferProbe()
      _ = transport.start(TransferRequest(url: "http://127.0.0.1:99999/"), consumer: probe)
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.failure?.cause } == .malformedURL)
      #expect(server.log.counts.opened == 1)
    }
  }

  @Test func `what nobody wants is not measured`() async throws {
    try await withServer { server, transport in
      let probe = TransferProbe()
      var request = TransferRequest(url: server.url("/ok"))
      request.isMeasured = false
      _ = transport.start(request, consumer: probe)
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.metrics } == TransferMetrics())
    }
  }

  @Test func `a folded first line after another response does no harm`() async throws {
    let folded: Script = [.text("HTTP/1.1 200 OK\r\n X-Folded: 1\r\nContent-Length: 2\r\n\r\nok"), .end(.fin)]
    try await withServer([Route("/folded", script: folded)]) { server, transport in
      for _ in 0..<20 {
        for path in ["/ok", "/folded"] {
          let probe = TransferProbe()
          _ = transport.start(TransferRequest(url: server.url(path)), consumer: probe)
          #expect(probe.waitForEnd())
          #expect((probe.record.withLock { $0.failure } == nil) == (path == "/ok"))
        }
      }
    }
  }

  @Test func `a HEAD brings the fields without a body`() async throws {
    try await withServer { server, transport in
      let probe = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/body?size=1MiB"), method: "HEAD"), consumer: probe)
      #expect(probe.waitForEnd())
      let record = probe.record.withLock { $0 }
      #expect(record.failure == nil)
      #expect(record.head?.contentLength == 1_048_576)
      #expect(record.received == 0)
    }
  }

  @Test func `a body from memory arrives whole`() async throws {
    try await withServer { server, transport in
      var request = TransferRequest(url: server.url("/upload"), method: "POST")
      request.body = .bytes(Data(SeededBody(seed: 9).bytes(0..<300_000)))
      let probe = TransferProbe()
      _ = transport.start(request, consumer: probe)
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.failure } == nil)
      #expect(probe.record.withLock { $0.sent } == 300_000)
      let bodies = server.log.settled(within: .seconds(TestMachine.patience)).requests
      #expect(bodies.map(\.bodyBytes) == [300_000])
      #expect(bodies.map(\.bodyChecksum) == [SeededBody.checksum(seed: 9, size: 300_000)])
    }
  }

  /// Gives three pieces, makes the connection wait between them and ends.
  final class Drip: BodySource {
    let transfer = Locked<Transfer?>(nil)
    private let turn = Locked(0)

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
      let turn = turn.withLock { turn in
        turn += 1
        return turn
      }
      guard turn < 6 else { return .end }
      guard turn.isMultiple(of: 2) else {
        Thread.detachNewThread { self.transfer.withLock { $0 }?.resumeSending() }
        return .wait
      }
      buffer[0] = UInt8(turn)
      return .bytes(1)
    }

    func rewind() -> Bool { false }
  }

  @Test func `a source may make the connection wait for its bytes`() async throws {
    try await withServer { server, transport in
      let source = Drip()
      var request = TransferRequest(url: server.url("/upload"), method: "POST")
      request.body = .source(source, length: nil)
      let probe = TransferProbe()
      source.transfer.withLock { $0 = transport.start(request, consumer: probe) }
      #expect(probe.waitForEnd())
      source.transfer.withLock { $0 = nil }
      #expect(probe.record.withLock { $0.failure } == nil)
      let log = server.log.settled(within: .seconds(TestMachine.patience))
      #expect(log.requests.first?.bodyBytes == 2)
    }
  }

  @Test(arguments: ["X\r\nY", "", "a b", "a:b"]) func `a field name that would break the message is not sent`(
    name: String
  )
    async throws
  {
    try await withServer { server, transport in
      var request = TransferRequest(url: server.url("/ok"))
      request.fields = [HeaderField(name: name, value: "v")]
      let probe = TransferProbe()
      _ = transport.start(request, consumer: probe)
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.failure?.cause } == .unsendableField)
      #expect(server.log.counts.opened == 0)
    }
  }
}
