// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// BG-63 and BG-64: a request that may have been answered is not sent again unless its method allows it, and no end is heard
/// twice, whatever is lost of journal, agent and program.
@Suite(.serialized) struct BackgroundAgainTests {
  /// One program with one request, and the server that it goes to.
  private struct Bench {
    let server = LessonServer(routes: [
      Route("/held", script: Script([.gate("answer"), .response(.text("held"))])),
      Route("/ok", script: .response(.text("ok"))),
    ])
    let place: BackgroundPlace
    let urls: [URL]
    let pipe: String
    var folder: URL { place.places.folder(of: "test") }
    var requests: Int { server.log.snapshot().requests.count }
    var marks: [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.filter { name in TaskMark.allCases.contains { name.hasPrefix("\($0.rawValue)-") } }
    }

    init(_ path: String, method: String, holds: Bool = false) throws {
      try server.start()
      urls = [try #require(URL(string: server.url(path)))]
      let directory = try TestDirectory()
      pipe = directory.url.appending(path: "pipe").path
      var variables = ["BACKGROUND_METHOD": method]
      if holds { variables["BACKGROUND_HOLD"] = pipe }
      place = try BackgroundPlace(variables: variables)
      held = directory
      try #require(mkfifo(pipe, 0o600) == 0)
    }
    /// Keeps the pipe's folder.
    private let held: TestDirectory

    /// Lets the program take its file.
    func release() async throws {
      let pipe = pipe
      try await onThread { _ = close(open(pipe, O_WRONLY | O_CLOEXEC)) }
    }

    /// Spoils the journal, which the agent reads at its start alone, and kills that: the program starts another one at once.
    func lose(_ loss: Loss = .firstByte) async throws {
      loss.strike(folder)
      try await place.killAgent()
    }
  }

  @Test(arguments: ["POST", "GET", "PATCH"])
  func `an end that is being delivered stays the only one (BG-63)`(method: String) async throws {
    let bench = try Bench("/ok", method: method, holds: true)
    let program = try ProgramRun(bench.place, urls: bench.urls)
    _ = try await program.lines.wait { $0.contains("held 0") }
    try await bench.lose()
    try await eventually { bench.place.log.contains("begins anew") }
    try await bench.release()
    let lines = try await program.ended()
    #expect(lines.contains("file 0") && lines.contains("complete 0 0"), "\(lines)")
    try await bench.place.agentEnds()
    #expect(bench.requests == 1)
  }

  private typealias Killed = (method: String, end: String, requests: Int)

  /// The journal may be lost, too.
  @Test(
    arguments: [("POST", "complete 0 -997", 1), ("PATCH", "complete 0 -997", 1), ("PUT", "complete 0 0", 2)],
    [Loss.firstByte, .none])
  private func `a request that is under way when its agent is killed is sent again where its method allows it (BG-63)`(
    killed: Killed, loss: Loss
  ) async throws {
    let (method, end, requests) = killed
    let bench = try Bench("/held", method: method)
    let program = try ProgramRun(bench.place, urls: bench.urls)
    _ = try await program.lines.wait { $0.contains("started 0") }
    try await eventually { bench.requests == 1 }
    try await bench.lose(loss)
    if requests > 1 { try await eventually { bench.requests == requests } }
    bench.server.open(gate: "answer")
    let lines = try await program.lines.wait { $0.contains { $0.hasPrefix("complete 0") } }
    #expect(lines.contains(end), "\(lines)")
    try await program.kill()
    try await bench.place.agentEnds()
    #expect(bench.requests == requests)
  }

  /// Ends are written while other tasks come, which are sent once they are written.
  @Test func `a hundred requests that cannot be repeated are sent once each (BG-63)`() async throws {
    let bench = try Bench("/ok", method: "POST")
    let urls = Array(repeating: try #require(bench.urls.first), count: 100)
    let lines = try await ProgramRun(bench.place, urls: urls).ended()
    #expect((0..<100).allSatisfy { lines.contains("complete \($0) 0") }, "\(lines)")
    try await bench.place.agentEnds()
    #expect(bench.requests == 100 && bench.marks.isEmpty)
  }

  @Test func `an answer that no journal took is not asked for again (BG-63)`() async throws {
    let bench = try Bench("/held", method: "POST")
    let program = try ProgramRun(bench.place, urls: bench.urls)
    _ = try await program.lines.wait { $0.contains("started 0") }
    try await eventually { bench.requests == 1 }
    // The body still fits, the journal does not.
    try BackgroundPlace.limit(try #require(bench.place.agent), RLIMIT_FSIZE, to: 100)
    bench.server.open(gate: "answer")
    try await eventually { bench.marks.contains { $0.hasPrefix(TaskMark.sent.rawValue) } }
    try await bench.place.killAgent()
    let lines = try await program.lines.wait { $0.contains { $0.hasPrefix("complete 0") } }
    #expect(lines.contains("complete 0 -997"), "\(lines)")
    try await program.kill()
    try await bench.place.agentEnds()
    #expect(bench.requests == 1)
  }

  /// Another agent may have begun in a new folder, and would read it.
  @Test func `an agent whose folder of state was removed writes no journal any more (BG-63)`() async throws {
    let bench = try Bench("/held", method: "POST")
    let program = try ProgramRun(bench.place, urls: bench.urls)
    try await eventually { bench.requests == 1 }
    try await program.kill()
    let lock = open(bench.place.places.lock, O_RDONLY | O_CLOEXEC)
    try FileManager.default.removeItem(at: bench.place.places.state)
    bench.server.open(gate: "answer")
    // Until the agent ends it holds the lock, by whatever name.
    _ = try await onThread { flock(lock, LOCK_EX) }
    close(lock)
    #expect(!FileManager.default.fileExists(atPath: bench.folder.path))
    _ = try await ProgramRun(bench.place, urls: []).ended()
    try await bench.place.agentEnds()
    #expect(bench.requests == 1)
  }

  @Test(arguments: ["POST", "GET"])
  func `an end that was delivered is not heard again when both are killed (BG-64)`(method: String) async throws {
    let bench = try Bench("/ok", method: method, holds: true)
    let program = try ProgramRun(bench.place, urls: bench.urls)
    _ = try await program.lines.wait { $0.contains("held 0") }
    // It does not read the acknowledgement.
    let agent = try #require(bench.place.agent)
    kill(agent, SIGSTOP)
    try await bench.release()
    _ = try await program.lines.wait { $0.contains("complete 0 0") }
    try await eventually { bench.marks.contains { $0.hasPrefix(TaskMark.delivered.rawValue) } }
    try await program.kill()
    try await bench.place.killAgent()
    let next = try ProgramRun(bench.place, urls: [])
    let lines = try await next.ended()
    #expect(lines.suffix(3) == ["ready", "done", "end"], "\(lines)")
    #expect(!lines.contains { $0.hasPrefix("complete") || $0.hasPrefix("found") }, "\(lines)")
    try await bench.place.agentEnds()
    #expect(bench.requests == 1 && bench.marks.isEmpty)
  }

  /// The faults that meet a journal while its agent is dead.
  private enum Loss: CaseIterable {
    case none, firstByte, secondHalf, file, folder

    func strike(_ folder: URL) {
      let journal = folder.appending(path: Journal.name)
      switch self {
      case .none: break
      case .firstByte:
        let file = try? FileHandle(forUpdating: journal)
        try? file?.write(contentsOf: Data("?".utf8))
        try? file?.close()
      case .secondHalf:
        let length = (try? Data(contentsOf: journal).count) ?? 0
        truncate(journal.path, length / 2)
      case .file: try? FileManager.default.removeItem(at: journal)
      case .folder: try? FileManager.default.removeItem(at: folder)
      }
    }
  }

  /// Those of the program's tasks that are known to have ended.
  private static func over(_ lines: [String]) -> [String] {
    lines.filter { $0.hasPrefix("over ") }.map { String($0.dropFirst(5)) }
  }

  @Test(arguments: 1...3)
  func `whatever is killed and lost, a request that has ended is not sent again (BG-63, BG-64)`(seed: Int) async throws
  {
    let kills = TestMachine.repetitions(ProcessInfo.processInfo.environment["WORKBENCH_ALL_KILLS"] == nil ? 10 : 100)
    var choice = SeededChoice(seed: UInt64(seed))
    var made = 0
    while made < kills {
      let bench = try Bench("/ok", method: choice.one(of: ["POST", "PATCH"]))
      func sent(_ key: String) -> Int { bench.server.log.snapshot().requests.count { $0["Made-As"] == key } }
      var (ended, lives): ([String: Int], [[String]]) = ([:], [])
      for _ in 1...3 {
        let program = try ProgramRun(bench.place, urls: bench.urls)
        _ = try await program.moment(after: [], &choice)
        let isFull = choice.number(below: 3) == 0
        if isFull, let agent = bench.place.agent { try? BackgroundPlace.limit(agent, RLIMIT_FSIZE, to: 100) }
        if choice.number(below: 2) == 0 { try await program.kill() }
        if try await bench.place.killAgent() { made += 1 }
        choice.one(of: Loss.allCases).strike(bench.folder)
        for key in Self.over(program.lines.all) where ended[key] == nil { ended[key] = sent(key) }
        if program.process.isRunning {
          _ = try await program.lines.wait { $0.last == "end" || $0.contains { $0.hasPrefix("over") } }
        }
        lives.append(try await program.kill())
      }
      let last = try ProgramRun(bench.place, urls: bench.urls)
      _ = try await last.lines.wait { $0.last == "end" || $0.contains { $0.hasPrefix("over") } }
      lives.append(try await last.kill())
      try await bench.place.agentEnds()
      for (key, count) in ended where sent(key) != count { Issue.record("\(key) was sent again: \(lives)") }
    }
  }
}
