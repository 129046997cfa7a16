// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// BG-10 and on: programs and agents that are killed.
@Suite(.serialized) struct BackgroundLivesTests {
  private static func server(_ routes: [Route]) throws -> LessonServer {
    let server = LessonServer(routes: routes)
    try server.start()
    return server
  }

  @Test func `BG-10: a program that was killed finds its finished file in its next life`() async throws {
    let server = try Self.server([PartRoutes.held("/file")])
    let place = try BackgroundPlace()
    let url = try #require(URL(string: server.url("/file")))
    let first = try ProgramRun(place, urls: [url])
    _ = try await first.lines.wait { $0.contains { $0.hasPrefix("written") } }
    try await first.kill()
    server.open(gate: "rest")
    try await place.agentEnds()
    let second = try ProgramRun(place, urls: [url])
    let lines = try await second.ended()
    let events = lines.filter { $0 != "ready" && $0 != "found 0 1" }
    #expect(events == ["file 0", "complete 0 0", "events", "done", "end"])
    #expect(place.sum(of: "0") == PartRoutes.checksum)
    #expect(server.log.snapshot().requests(for: "/file").count == 1)
    try await place.agentEnds()
    #expect(!FileManager.default.fileExists(atPath: place.places.folder(of: "test").path))
  }

  @Test func `BG-11: an agent that was killed goes on where it was, for a program that waits`() async throws {
    let server = try Self.server([PartRoutes.held("/file")])
    let place = try BackgroundPlace()
    let url = try #require(URL(string: server.url("/file")))
    let program = try ProgramRun(place, urls: [url])
    _ = try await program.lines.wait { $0.contains { $0.hasPrefix("written") } }
    try await place.killAgent()
    let lines = try await program.ended()
    #expect(lines.suffix(4) == ["file 0", "complete 0 0", "done", "end"])
    #expect(place.sum(of: "0") == PartRoutes.checksum)
    let requests = server.log.snapshot().requests(for: "/file")
    #expect(requests.count == 2)
    #expect(requests.last?["If-Range"] == "\"v1\"")
    try await place.agentEnds()
  }
}
