// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
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

  @Test(arguments: Victim.allCases)
  func `BG-12: the file is whole and given once, whenever program or agent are killed`(victim: Victim) async throws {
    let server = LessonServer(routes: [Self.route])
    try server.start()
    let url = try #require(URL(string: server.url("/file")))
    var random = Numbers(seed: UInt64(victim.rawValue.utf8.count))
    for round in 0..<max(1, TestMachine.repetitions(7)) {
      let place = try BackgroundPlace(idleSeconds: 0.05)
      let lives = try await Self.lives(of: victim, in: place, url, kills: 3, &random)
      #expect(place.sum(of: "0") == PartRoutes.checksum, "round \(round)")
      let lines = lives.flatMap { $0 }
      #expect(lines.count { $0 == "file 0" } <= 1, "round \(round): \(lives)")
      #expect(!lines.contains { $0.hasPrefix("lost") }, "round \(round): \(lives)")
      #expect(!lines.contains { $0.hasPrefix("complete") && $0 != "complete 0 0" }, "round \(round): \(lives)")
      try await place.agentEnds()
    }
  }

  /// Runs the program until it is done; kills at an event of each of the first lives.
  private static func lives(
    of victim: Victim, in place: BackgroundPlace, _ url: URL, kills: Int, _ random: inout Numbers
  ) async throws -> [[String]] {
    var lives: [[String]] = []
    for _ in 0..<kills {
      let program = try ProgramRun(place, urls: [url])
      let moment = Int(random.next() % 12)
      let lines = try await program.lines.wait { $0.count > moment || $0.last == "end" }
      if victim != .program, lines.last != "end" { try await place.killAgent() }
      lives.append(victim == .agent ? try await program.ended() : try await program.kill())
    }
    lives.append(try await ProgramRun(place, urls: [url]).ended())
    return lives
  }

  @Test func `BG-13: a hundred tasks survive kills of program and agent`() async throws {
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
    try await place.agentEnds()
  }

  /// Numbers that are the same in each run (SplitMix64).
  private struct Numbers {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state &>> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed &>> 31
    }
  }
}
