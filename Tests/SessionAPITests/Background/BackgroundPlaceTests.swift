// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// BG-17 and on: programs and agents whose folders differ, or are gone.
@Suite(.serialized) struct BackgroundPlaceTests {
  @Test func `agents with different folders for state share a folder for running programs (BG-17)`() async throws {
    let server = LessonServer(routes: [PartRoutes.held("/file")])
    try server.start()
    let url = try #require(URL(string: server.url("/file")))
    let runtime = try TestDirectory()
    let places = try (1...2).map { _ in try BackgroundPlace(variables: ["XDG_RUNTIME_DIR": runtime.url.path]) }
    let programs = try places.map { try ProgramRun($0, urls: [url]) }
    for program in programs { _ = try await program.lines.wait { $0.contains { $0.hasPrefix("written") } } }
    #expect(places.compactMap(\.agent).count == 2)
    server.open(gate: "rest")
    for (place, program) in zip(places, programs) {
      #expect(try await program.ended().suffix(4) == ["file 0", "complete 0 0", "done", "end"])
      #expect(place.sum(of: "0") == PartRoutes.checksum)
      try await place.agentEnds()
    }
  }

  @Test func `a program finds the agent that was started with another folder for running programs (BG-18)`()
    async throws
  {
    let bench = try await BackgroundBench()
    try await bench.program.kill()
    let runtime = try TestDirectory()
    bench.server.open(gate: "rest")
    let second = try ProgramRun(bench.place, urls: [bench.url], variables: ["XDG_RUNTIME_DIR": runtime.url.path])
    let lines = try await second.ended()
    #expect(lines.count { $0 == "file 0" } == 1)
    #expect(bench.server.log.snapshot().requests(for: "/file").count == 1)
    try await bench.place.agentEnds()
  }

  @Test func `an agent whose folder for running programs is gone listens beside its journals (BG-18)`() async throws {
    let runtime = try TestDirectory()
    let bench = try await BackgroundBench(variables: ["XDG_RUNTIME_DIR": runtime.url.path])
    try await bench.program.kill()
    // As where a log-out has removed it, and the user may not make it again.
    try FileManager.default.removeItem(at: runtime.url)
    try Data().write(to: runtime.url)
    bench.server.open(gate: "rest")
    _ = try await ProgramRun(bench.place, urls: [bench.url]).ended()
    #expect(bench.place.sum(of: "0") == PartRoutes.checksum)
    #expect(bench.server.log.snapshot().requests(for: "/file").count == 1)
    try await bench.place.agentEnds()
  }
}
