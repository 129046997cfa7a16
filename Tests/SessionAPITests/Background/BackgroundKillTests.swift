// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// BG-12 and BG-13: kills at many moments. Each life of the program or the agent ends at another of its events; in the end
/// the file is the server's, and one life alone was given it.
@Suite(.serialized) struct BackgroundKillTests {
  enum Victim: String, CaseIterable { case program, agent, both }

  /// Sends the body in many pieces, so that there are many moments, and parts of it at once.
  private static let route = Route("/file") { request in
    let first = PartRoutes.first(of: request)
    var steps: [Step] = [.bytes(PartRoutes.answer(request).head)]
    let piece = PartRoutes.size / 20
    for start in stride(from: first, to: PartRoutes.size, by: Int(piece)) {
      steps.append(.seeded(seed: PartRoutes.seed, range: start..<min(start + piece, PartRoutes.size)))
      steps.append(.delay(.milliseconds(2)))
    }
    return Script(steps)
  }

  @Test(arguments: [(Victim.program, 50), (.agent, 50), (.both, 20)])
  func `the file is whole and given once, whenever program or agent are killed (BG-12)`(
    victim: Victim, kills: Int
  ) async throws {
    let server = LessonServer(routes: [Self.route])
    try server.start()
    let url = try #require(URL(string: server.url("/file")))
    let kills = max(Self.lanes, TestMachine.repetitions(kills / Self.share))
    let made = Locked(0)
    try await withThrowingTaskGroup { group in
      for lane in 0..<Self.lanes {
        group.addTask {
          var random = SeededChoice(seed: UInt64(victim.rawValue.utf8.count * 10 + lane))
          var open = (kills + lane) / Self.lanes
          while open > 0 {
            let count = try await Self.course(of: victim, url, atMost: min(open, 5), &random)
            made.withLock { $0 += count }
            open -= count
          }
        }
      }
      try await group.waitForAll()
    }
    print("BG-12 \(victim): killed \(made.withLock { $0 }) times")
  }

  @Test func `a task whose resume() has returned is there after the restart, whoever is killed (BG-12)`() async throws {
    let server = LessonServer(routes: [PartRoutes.held("/file")])
    try server.start()
    let url = try #require(URL(string: server.url("/file")))
    for life in 1...max(2, TestMachine.repetitions(10)) {
      let place = try BackgroundPlace()
      let first = try ProgramRun(place, urls: [url])
      _ = try await first.lines.wait { $0.contains("started 0") }
      kill(first.process.processIdentifier, SIGKILL)
      try await place.killAgent()
      try await first.ended()
      let second = try ProgramRun(place, urls: [url])
      _ = try await second.lines.wait { $0.contains("ready") }
      #expect(second.lines.all.contains { $0.hasPrefix("found 0 ") }, "life \(life)")
      try await second.kill()
      try await place.killAgent()
    }
  }

  /// Courses that run at once: most of the time of each is the start of a process, or a wait for the server.
  private static let lanes = 3
  /// Beside the other tests a fourth of the kills; all of them where `WORKBENCH_ALL_KILLS` is set.
  private static let share = ProcessInfo.processInfo.environment["WORKBENCH_ALL_KILLS"] == nil ? 4 : 1

  /// One download from its first life to its delivery, with a place of its own. Returns how often the victim was killed.
  private static func course(
    of victim: Victim, _ url: URL, atMost limit: Int, _ random: inout SeededChoice
  ) async throws -> Int {
    let place = try BackgroundPlace(idleSeconds: 0.05)
    var (lives, agents, kills) = ([[String]](), Set<pid_t>(), 0)
    while kills < limit, lives.last?.contains("done") != true {
      let program = try ProgramRun(place, urls: [url])
      var lines = try await program.moment(after: [], &random)
      while lines.last != "end", kills < limit {
        var isHit = victim == .program
        // An agent that has just begun may not have stated its number: then the file has the one before.
        if victim != .program, let agent = place.agent, agents.insert(agent).inserted {
          isHit = kill(agent, SIGKILL) == 0
        }
        if isHit { kills += 1 }
        if victim != .agent, isHit { try await program.kill() }
        lines = try await program.moment(after: lines, &random)
      }
      lives.append(try await program.ended())
    }
    if lives.last?.contains("done") != true { lives.append(try await ProgramRun(place, urls: [url]).ended()) }
    let lines = lives.flatMap(\.self)
    #expect(place.sum(of: "0") == PartRoutes.checksum, "\(lives)")
    #expect(lines.count { $0 == "file 0" } <= 1, "\(lives)")
    #expect(!lines.contains { $0.hasPrefix("lost") }, "\(lives)")
    #expect(!lines.contains { $0.hasPrefix("complete") && $0 != "complete 0 0" }, "\(lives)")
    try await place.agentEnds()
    return kills
  }

  @Test func `a hundred tasks survive kills of program and agent (BG-13)`() async throws {
    let server = LessonServer(routes: [
      Route("/1k", script: .response(Response(body: .seeded(seed: 2, range: 0..<1_024))))
    ])
    try server.start()
    let url = try #require(URL(string: server.url("/1k")))
    let place = try BackgroundPlace()
    let urls = Array(repeating: url, count: 100)
    let first = try ProgramRun(place, urls: urls)
    _ = try await first.lines.wait { $0.contains { $0.hasPrefix("file") } }
    try await first.kill()
    try await place.killAgent()
    let second = try ProgramRun(place, urls: urls)
    _ = try await second.lines.wait { $0.contains { $0 == "ready" } }
    try await place.killAgent()
    _ = try await second.ended()
    let checksum = SeededBody.checksum(seed: 2, size: 1_024)
    #expect((0..<100).allSatisfy { place.sum(of: "\($0)") == checksum })
    let lines = first.lines.all + second.lines.all
    #expect(!lines.contains { $0.hasPrefix("lost") })
    for number in 0..<100 {
      // The first program may have been killed between taking the file and saying so.
      #expect(lines.count { $0 == "file \(number)" } <= 1)
      #expect(Set(lines.filter { $0.hasPrefix("complete \(number) ") }) == ["complete \(number) 0"])
    }
    try await place.agentEnds()
  }
}
