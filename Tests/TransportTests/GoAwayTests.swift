// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Transport

@testable import HTTPRules

/// Several requests of one connection of HTTP/2 that the server takes no more of (RFC 9113 section 6.8).
@Suite struct GoAwayTests {
  /// Loads `/ok`, which makes the connection, then all of these at once.
  private func load(_ routes: [Route], _ requests: [(method: String, path: String)]) async throws -> (
    records: [TransferProbe.Record], log: ServerLogSnapshot
  ) {
    try await withHTTP2(routes) { server, transport in
      let first = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/ok")), consumer: first)
      #expect(first.waitForEnd())
      let probes = requests.map { method, path in
        var request = TransferRequest(url: server.url(path), method: method)
        if method == "POST" { request.body = .bytes(Data(repeating: 7, count: 300_000)) }
        request.idleTimeout = .seconds(TestMachine.patience / 2)
        let probe = TransferProbe()
        _ = transport.start(request, consumer: probe)
        return probe
      }
      for probe in probes { #expect(probe.waitForEnd()) }
      return (probes.map { $0.record.withLock { $0 } }, server.log.snapshot())
    }
  }

  private static let ok = Script.response(.text("ok"))
  private static let slow = Script([.delay(.seconds(1)), .response(.text("ok"))])

  @Test(arguments: [true, false])
  func `a POST is repeated when a GET of its connection reads the GOAWAY (H2-04)`(isFirst: Bool) async throws {
    let routes = [
      Route("/post", answer: .sequence([[.goAway], Self.ok])),
      // Slow on the first connection, so that many are there to read what the server says.
      Route("/get", answer: .function { $0.connection == 1 ? Self.slow : Self.ok }),
    ]
    let gets = Array(repeating: (method: "GET", path: "/get"), count: 20)
    let post = (method: "POST", path: "/post")
    let (records, log) = try await load(routes, isFirst ? [post] + gets : gets + [post])
    #expect(records.allSatisfy { $0.failure == nil && $0.body == Array("ok".utf8) })
    #expect(log.requests(for: "/post").map(\.bodyBytes) == [300_000, 300_000])
  }
}
