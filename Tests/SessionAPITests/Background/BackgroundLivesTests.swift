// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing
import URLLoading

@testable import SessionAPI

/// BG-10 and on: programs and agents that are killed.
@Suite(.serialized) struct BackgroundLivesTests {
  private static func server(_ routes: [Route]) throws -> LessonServer {
    let server = LessonServer(routes: routes)
    try server.start()
    return server
  }

  @Test func `a program that was killed finds its finished file in its next life (BG-10)`() async throws {
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

  @Test func `an agent that was killed goes on where it was, for a program that waits (BG-11)`() async throws {
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

  @Test func `what has ended meanwhile is delivered in the order of the ends (BG-10)`() async throws {
    let routes = (0..<3).map { number in
      let response = Response(body: .seeded(seed: 2, range: 0..<1_024))
      return Route(
        "/\(number)",
        script: Script([.bytes(response.head), .gate("gate \(number)"), .seeded(seed: 2, range: 0..<1_024)]))
    }
    let server = try Self.server(routes)
    let place = try BackgroundPlace(idleSeconds: 60)
    let urls = try (0..<3).map { try #require(URL(string: server.url("/\($0)"))) }
    let first = try ProgramRun(place, urls: urls)
    #expect(try await onThread { server.log.waitForRequests(3, within: .seconds(TestMachine.patience)) })
    try await first.kill()
    let folder = place.places.folder(of: "test")
    for number in [2, 0, 1] {
      server.open(gate: "gate \(number)")
      try await eventually {
        let tasks = (try? Journal(in: folder) { _ in })??.tasks.values
        return tasks?.contains { $0.description == "\(number)" && $0.outcome?.file != nil } == true
      }
    }
    let lines = try await ProgramRun(place, urls: urls).ended()
    #expect(lines.filter { $0.hasPrefix("file") } == ["file 2", "file 0", "file 1"])
    try await place.killAgent()
  }

  @Test func `the counts at the reunion are those of the part that an agent left (BG-11)`() async throws {
    let server = try Self.server([PartRoutes.held("/file")])
    let place = try BackgroundPlace()
    let url = try #require(URL(string: server.url("/file")))
    let program = try ProgramRun(place, urls: [url])
    _ = try await program.lines.wait { $0.contains { $0.hasPrefix("written") } }
    let folder = place.places.folder(of: "test")
    func size() -> Int64? {
      guard let resume = (try? Journal(in: folder) { _ in })??.tasks.values.first?.resume,
        let name = (try? ResumeRecord(data: resume))?.fileName
      else { return nil }
      let path = folder.appending(path: name).path
      return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? nil
    }
    try await eventually { (size() ?? 0) > 0 }
    try await program.kill()
    try await place.killAgent()
    let left = try #require(size())
    // The agent that another program starts takes the journal up; a suspended task stays as it is.
    var journal = try #require(try Journal(in: folder) { _ in })
    for key in journal.tasks.keys { journal.tasks[key]?.isSuspended = true }
    try journal.save(in: folder)
    let other = try ProgramRun(place, identifier: "other", urls: [url])
    _ = try await other.lines.wait { $0.contains { $0.hasPrefix("started") } }
    try await eventually { place.agent != nil && access(place.places.socket, F_OK) == 0 }
    let client = try await TalkClient(place, identifier: "test")
    let known = try #require(client.known.first)
    #expect(known.counts.received == left)
    try client.say(.cancel(known.key))
    try await client.log.wait { $0.contains(.forgotten(known.key)) }
    client.close()
    server.open(gate: "rest")
    try await other.ended()
    try await place.agentEnds()
  }
}
