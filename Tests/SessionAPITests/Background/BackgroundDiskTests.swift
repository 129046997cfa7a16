// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing
import URLLoading

@testable import SessionAPI

/// BG-45 and on: an agent whose disk is full. A limit for the length of its files stands for that (setrlimit(2),
/// RLIMIT_FSIZE): it can be set and lifted from outside.
@Suite(.serialized) struct BackgroundDiskTests {
  /// Ten bytes, of which the last nine wait at the gate "small".
  private static let small = Route(
    "/small",
    script: Script([
      .bytes(Response(body: .seeded(seed: 2, range: 0..<10)).head), .seeded(seed: 2, range: 0..<1), .gate("small"),
      .seeded(seed: 2, range: 1..<10),
    ]))

  /// The agent cannot make a file longer than `size` bytes from now on; nil for any length.
  private static func limit(_ agent: pid_t, to size: Int?) throws {
    try BackgroundPlace.limit(agent, RLIMIT_FSIZE, to: size)
  }

  @Test func `a full disk ends a download with −3003; what it finished before is given when there is room (BG-45)`()
    async throws
  {
    let server = LessonServer(routes: [Self.small, PartRoutes.held("/file")])
    try server.start()
    let place = try BackgroundPlace()
    let urls = try ["/small", "/file"].map { try #require(URL(string: server.url($0))) }
    let program = try ProgramRun(place, urls: urls)
    _ = try await program.lines.wait { lines in
      lines.contains("written 0 1") && lines.contains { $0.hasPrefix("written 1") }
    }
    let (agent, folder) = (try #require(place.agent), place.places.folder(of: "test"))
    // The journal is longer: from now on it stays as it is.
    try Self.limit(agent, to: 100)
    let before = try Journal(in: folder, note: { _ in })
    server.open(gate: "small")
    try await eventually { Self.lengths(in: folder).contains(10) }
    server.open(gate: "rest")
    let lines = try await program.lines.wait { $0.contains { $0.hasPrefix("reason") } }
    #expect(lines.contains("complete 1 -3003"))
    #expect(lines.contains("reason The file for the body cannot be written: File too large."))
    #expect(!lines.contains("file 0"), "told, and not written down")
    #expect(try Journal(in: folder, note: { _ in }) == before)
    #expect(place.agent == agent)
    try Self.limit(agent, to: nil)
    _ = try await program.lines.wait { $0.contains("complete 0 0") }
    #expect(place.sum(of: "0") == SeededBody.checksum(seed: 2, size: 10))
    try await program.kill()
    try await place.agentEnds()
    // The journal stays where the program was killed before it could acknowledge, and so does the mark of what it was told.
    #expect(Self.names(in: folder).allSatisfy { $0 == Journal.name || $0.hasPrefix("\(TaskMark.delivered)-") })
  }

  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  private static func lengths(in folder: URL) -> [Int] {
    names(in: folder).compactMap { name in
      try? FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)[.size] as? Int
    }
  }

  @Test func `a task that the agent has no room to keep is cancelled, and the reason says so (BG-46)`() async throws {
    let bench = try await BackgroundBench()
    let agent = try #require(bench.place.agent)
    try Self.limit(agent, to: 0)
    let other = try ProgramRun(bench.place, identifier: "other", urls: [bench.url])
    _ = try await other.lines.wait { $0.contains { $0.hasPrefix("cancelled") } }
    let lines = try await other.kill()
    #expect(lines.contains("complete 0 -999"))
    #expect(lines.contains("reason The transfer agent has no room to keep the task."))
    #expect(lines.contains("cancelled by the system: insufficientSystemResources"))
    #expect(bench.place.agent == agent)
    try Self.limit(agent, to: nil)
    bench.server.open(gate: "rest")
    let rest = try await bench.program.ended()
    #expect(rest.suffix(4) == ["file 0", "complete 0 0", "done", "end"])
    try await bench.place.agentEnds()
  }

  @Test func `the part that such a task was to continue is given back (BG-46)`() async throws {
    let bench = try await BackgroundBench()
    let agent = try #require(bench.place.agent)
    let client = try await TalkClient(bench.place, identifier: "parts")
    // The rest is never sent: writing it would fail, and the part with it.
    let route = Route("/part") { $0.head["If-Range"] == nil ? PartRoutes.held($0) : [.gate("never")] }
    let server = LessonServer(routes: [route])
    try server.start()
    let url = try #require(URL(string: server.url("/part")))
    let first = TalkClient.task(url)
    try client.say(.start(first))
    try await client.log.wait { $0.contains { if case .progress = $0 { true } else { false } } }
    try client.say(.stop(first.key))
    let stopped = try await client.log.wait { $0.contains { $0.part != nil } }
    let part = try #require(stopped.compactMap(\.part).first)
    try client.say(.cancel(first.key))
    try await client.log.wait { $0.contains(.forgotten(first.key)) }
    try Self.limit(agent, to: 0)
    let second = TalkClient.task(url, resume: part)
    try client.say(.start(second))
    let failure = try #require(try await client.end(of: second.key)?.failure)
    #expect(failure.code == -999)
    let name = try ResumeRecord(data: try #require(failure.resume)).fileName
    #expect(try name == ResumeRecord(data: part).fileName)
    #expect(Self.names(in: bench.place.places.folder(of: "parts")).contains(name))
    try Self.limit(agent, to: nil)
    client.close()
    try await bench.isDone()
  }

  @Test func `a session that is over writes nothing when the disk has room again (BG-47)`() async throws {
    let bench = try await BackgroundBench()
    let agent = try #require(bench.place.agent)
    let (over, later) = (bench.place.places.folder(of: "over"), bench.place.places.folder(of: "later"))
    let client = try await TalkClient(bench.place, identifier: "over")
    let task = TalkClient.task(bench.url)
    try client.say(.start(task))
    try await eventually { Self.names(in: over).contains(Journal.name) }
    try Self.limit(agent, to: 0)
    try client.say(.cancel(task.key))
    client.close()
    try await eventually { !FileManager.default.fileExists(atPath: over.path) }
    // The journal of another session is tried again later than that of the first one would be.
    let other = try await TalkClient(bench.place, identifier: "later")
    let refused = TalkClient.task(bench.url)
    try other.say(.start(refused))
    _ = try await other.end(of: refused.key)
    try Self.limit(agent, to: nil)
    try await eventually { Self.names(in: later).contains(Journal.name) }
    #expect(!FileManager.default.fileExists(atPath: over.path))
    other.close()
    try await bench.isDone()
  }
}

extension AgentMessage {
  fileprivate var part: Data? {
    if case .stopped(_, let part) = self { part } else { nil }
  }
}
