// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import ServerParts
import Testing

@Suite struct FaultCatalogueTests {
  static let families = [
    FaultCatalogue.headCuts, FaultCatalogue.resetCuts, FaultCatalogue.bodyCuts, FaultCatalogue.chunkedCuts,
  ]

  /// Sends an exchange's request and reads until the end, or until so many bytes or no more came.
  private static func play(
    _ fault: FaultCase, on client: TestClient, atMost limit: Int = 1 << 20
  ) -> (bytes: [UInt8], end: TestClient.End) {
    let exchange = fault.exchanges[0]
    client.send(
      "\(exchange.method) \(fault.path()) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + "Content-Length: \(exchange.bodySize)\r\n"
        + (exchange.expectsContinue ? "Expect: 100-continue\r\n\r\n" : "\r\n"))
    if exchange.bodySize > 0 { client.send(SeededBody(seed: 1).bytes(0..<min(exchange.bodySize, 1_000_000))) }
    return client.readSome(atMost: limit)
  }

  @Test func `every row of the catalogue has its cases`() {
    let rows = Set(FaultCatalogue.http1.map(\.id) + Self.families.joined().map(\.id))
    let expected = Set((1...43).map { String(format: "H1-%02d", $0) }).subtracting(["H1-40", "H1-41"])
    #expect(rows == expected)
  }

  @Test func `every case has a path of its own and an outcome`() {
    let cases = FaultCatalogue.http1 + FaultCatalogue.http1.compactMap(\.dripped) + Self.families.joined()
    let paths = FaultCatalogue.routes(of: cases).map(\.path)
    #expect(Set(paths).count == paths.count)
    #expect(cases.allSatisfy { $0.exchanges.allSatisfy { !$0.outcomes.isEmpty } })
    #expect(FaultCatalogue.http1.first?.path() == "/fault/H1-01/fin")
    #expect(FaultCatalogue.http1.first { $0.variant == "at-once" }?.path(1) == "/fault/H1-26/at-once/2")
    #expect(
      FaultCatalogue.http1.first?.description == "H1-01 fin: accepts, then ends without a byte")
  }

  @Test func `every case sends something or ends, and lets go when the client is gone`() async throws {
    let server = try startedServer(FaultCatalogue.routes(of: FaultCatalogue.http1) + Route.standard)
    try await onThread {
      for fault in FaultCatalogue.http1 where fault.variant != "late-100" {
        let (bytes, end) = Self.play(fault, on: try TestClient(server, limit: 1), atMost: 64)
        #expect(!bytes.isEmpty || end != .timeout, "\(fault)")
      }
    }
    #expect(server.log.waitUntilClosed(within: .seconds(90)))
    #expect(server.log.snapshot().requests.filter { $0.status == 404 } == [])
  }

  @Test func `a cut lets its number of bytes through and no more`() async throws {
    let server = try startedServer(FaultCatalogue.routes(of: Array(Self.families.joined())))
    try await onThread {
      for (response, id, ending) in [
        (FaultCatalogue.sample, "H1-17", Ending.fin), (FaultCatalogue.chunkedSample, "H1-30", .fin),
        (FaultCatalogue.sample, "H1-18", .rst),
      ] {
        for (count, fault) in FaultCatalogue.cuts(id, of: response, by: ending) {
          let client = try TestClient(server)
          if id == "H1-17", count >= response.head.count { continue }
          let (bytes, end) = Self.play(fault, on: client)
          #expect(end == (ending == .fin ? .fin : .reset), "\(fault)")
          #expect(ending == .fin ? bytes.count == count : bytes.count <= count, "\(fault)")
        }
      }
    }
  }

  @Test func `the length on the wire is what a whole response takes`() async throws {
    for response in [FaultCatalogue.sample, FaultCatalogue.chunkedSample] {
      let server = try startedServer([Route("/x", script: [.response(response), .end(.fin)])])
      let count = try await onThread {
        let client = try TestClient(server)
        client.send("GET /x HTTP/1.1\r\n\r\n")
        return client.readToEnd().bytes.count
      }
      #expect(FaultCatalogue.cuts("x", of: response, by: .fin).count == count)
    }
  }

  @Test func `well-formed cases are what a plain client reads as success`() async throws {
    let server = try startedServer(FaultCatalogue.routes(of: FaultCatalogue.http1))
    try await onThread {
      for id in ["H1-06", "H1-14", "H1-16", "H1-19", "H1-25", "H1-27", "H1-28", "H1-29"] {
        for fault in FaultCatalogue.http1 where fault.id == id && fault.variant != "rst" && fault.variant != "list" {
          let answer = try TestClient(server).get(fault.path())
          let outcome = FaultOutcome.success(status: answer.status, body: answer.body)
          #expect(fault.exchanges[0].outcomes.contains(outcome), "\(fault)")
        }
      }
    }
  }

  @Test func `a reset of a reused connection spares a new one`() async throws {
    let reused = try #require(FaultCatalogue.http1.first { $0.variant == "reused" })
    let server = try startedServer(reused.routes)
    try await onThread {
      let client = try TestClient(server)
      #expect(try client.get(reused.path(0)).status == 200)
      client.send("GET \(reused.path(1)) HTTP/1.1\r\n\r\n")
      #expect(client.readToEnd().end == .reset)
      #expect(try TestClient(server).get(reused.path(1)).status == 200)
    }
  }

  @Test func `a drip sends the same bytes`() async throws {
    let plain = try #require(FaultCatalogue.http1.first { $0.id == "H1-29" })
    let drip = try #require(plain.dripped)
    let server = try startedServer(plain.routes + drip.routes)
    try await onThread {
      let bodies = try [drip, plain].map { try TestClient(server).get($0.path()).body }
      #expect(bodies[0] == bodies[1])
      #expect(drip.path() == "/fault/H1-29/extensions-drip")
    }
    #expect(FaultCatalogue.http1.first { $0.variant == "endless" }?.dripped == nil)
  }

  @Test func `an upload's fate stands in the log`() async throws {
    let server = try startedServer(FaultCatalogue.routes(of: FaultCatalogue.http1))
    try await onThread {
      let client = try TestClient(server)
      client.send("PUT /fault/H1-42/early-403 HTTP/1.1\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.readAnswer().status == 403)
      let other = try TestClient(server)
      other.send("PUT /fault/H1-42/no-100 HTTP/1.1\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n")
      other.send(SeededBody(seed: 1).bytes(0..<1000))
      #expect(try other.readAnswer().status == 200)
    }
    #expect(server.log.waitUntilClosed(within: .seconds(90)))
    #expect(server.log.snapshot().requests.map(\.bodyBytes) == [0, 1000])
    #expect(server.log.snapshot().requests[1].bodyChecksum == SeededBody.checksum(seed: 1, size: 1000))
  }
}
