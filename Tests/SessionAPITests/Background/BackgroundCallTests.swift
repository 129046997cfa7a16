// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// BG-14: program or agent are killed as they make a system call: one download for each call that one download takes.
///
/// Beside the other tests it is a sample of the calls that change something outside the process; with
/// `WORKBENCH_ALL_KILLS` it is all of those, and with `WORKBENCH_ALL_KILLS=every` all calls (Scripts/background-kills).
@Suite(.serialized) struct BackgroundCallTests {
  enum Victim: String, CaseIterable { case program, agent }

  /// Four pieces, so that there is a part to go on with.
  private static let route = Route("/file") { request in
    let first = PartRoutes.first(of: request)
    let field = HeaderField("Content-Range", "bytes \(first)-\(size - 1)/\(size)")
    let isPart = request.head["Range"] != nil
    let head = Response(
      isPart ? 206 : 200, fields: [PartRoutes.tag, PartRoutes.ranges] + (isPart ? [field] : []),
      body: .seeded(seed: seed, range: first..<size)
    ).head
    var steps: [Step] = [.bytes(head)]
    for start in stride(from: first, to: size, by: Int(size / 4)) {
      steps += [.seeded(seed: seed, range: start..<min(start + size / 4, size)), .delay(.milliseconds(1))]
    }
    return Script(steps)
  }
  private static let (size, seed): (Int64, UInt64) = (40_000, 21)
  private static let checksum = SeededBody.checksum(seed: seed, size: size)

  private static let mode = ProcessInfo.processInfo.environment["WORKBENCH_ALL_KILLS"]
  private static let sample = TestMachine.isSanitized ? 2 : 8
  private static let lanes = 3

  @Test(arguments: Victim.allCases)
  func `at whichever call of one download a process is killed, the file is whole and given once (BG-14)`(
    victim: Victim
  ) async throws {
    let server = LessonServer(routes: [Self.route])
    try server.start()
    let url = try #require(URL(string: server.url("/file")))
    guard let count = try await Self.course(victim, at: nil, url).calls else {
      return print("not tested: kills at system calls; this machine lets no process trace another (ptrace(2))")
    }
    #expect(count > 50)
    let step = Self.mode == nil ? count / Self.sample : 1
    let places = Locked(Array(stride(from: 0, to: count, by: step).reversed()))
    let kills = Locked(0)
    try await withThrowingTaskGroup { group in
      for _ in 0..<Self.lanes {
        group.addTask {
          while let place = places.withLock({ $0.popLast() }) {
            let course = try await Self.course(victim, at: place, url)
            if course.isKilled { kills.withLock { $0 += 1 } }
            if Self.mode != nil, place % 50 == 0 { print("BG-14 \(victim): call \(place) of \(count)") }
          }
        }
      }
      try await group.waitForAll()
    }
    let killed = kills.withLock { $0 }
    #expect(killed > 0)
    print("BG-14 \(victim): killed at \(killed) of \(count) calls")
  }

  private struct Course {
    /// How many calls the victim's first process made; nil where it could not be traced.
    var calls: Int?
    var isKilled = false
  }

  /// One download from its first life to its delivery, in which the victim's first process is killed.
  private static func course(_ victim: Victim, at call: Int?, _ url: URL) async throws -> Course {
    let (record, tracer) = ("record-\(UUID().uuidString)", try ProgramRun.built("KillAtCall"))
    let directory = try TestDirectory()
    let file = directory.url.appending(path: record)
    var variables = [
      "KILL_PROGRAM": try ProgramRun.built(victim == .agent ? "url-transfer-agent" : "BackgroundProgram").path,
      "KILL_AT": "\(call ?? -1)", "KILL_RECORD": file.path,
    ]
    if mode == "every" { variables["KILL_EVERY"] = "1" }
    let place = try BackgroundPlace(idleSeconds: 0.05, variables: variables)
    var lines = try await ProgramRun(
      place, urls: [url], agent: victim == .agent ? tracer.path : nil, program: victim == .program ? tracer : nil
    ).ended()
    if !lines.contains("done") {
      lines += try await ProgramRun(place, urls: [url], agent: victim == .agent ? tracer.path : nil).ended()
    }
    try await place.agentEnds()
    // An agent that was killed before it could write down that the end was delivered leaves that to the next life.
    if !leftovers(in: place).isEmpty { lines += try await ProgramRun(place, urls: [url]).ended() }
    try await place.agentEnds()
    let story: Comment = "\(victim) at \(call ?? -1): \(lines)"
    #expect(place.sum(of: "0") == checksum, story)
    #expect(lines.count { $0 == "file 0" } <= 1, story)
    #expect(!lines.contains { $0.hasPrefix("lost") }, story)
    #expect(!lines.contains { $0.hasPrefix("complete") && $0 != "complete 0 0" }, story)
    #expect(leftovers(in: place).isEmpty, story)
    return try Self.read(file)
  }

  /// Folders of sessions, with their journals and parts of files.
  private static func leftovers(in place: BackgroundPlace) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.places.state.path)) ?? []
    return names.filter { $0.hasPrefix("session-") }
  }

  private static func read(_ file: URL) throws -> Course {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return Course() }
    let lines = text.split(separator: "\n")
    guard lines.count > 1 else { return Course() }
    return Course(calls: lines.count - 1, isKilled: lines.last == "killed")
  }
}
