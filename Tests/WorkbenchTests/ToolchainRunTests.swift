// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports
import Subprocess
import SystemPackage
import Testing

/// `run --with-foundation`: whatever becomes of an example with the toolchain's URLSession is a result.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ToolchainRunTests {

  private func run(
    _ lesson: String, _ examples: [String], _ more: String...
  ) async throws -> (lesson: LessonResult, status: TerminationStatus) {
    let chosen = examples.flatMap { ["--example", $0] }
    let arguments = ["run", lesson, "--side", "session", "--with-foundation", "--size", "1MiB", "--json"]
    let result = try await Command.run(arguments + chosen + more, environment: Command.cache)
    let report = try JSONDecoder().decode(RunReport.self, from: Data(result.output.utf8))
    return (try #require(report.lessons.first, "\(result.errors)"), result.status)
  }

  @Test func `an example runs below its twin, its callbacks seen, its body whole`() async throws {
    let (lesson, status) = try await run("5", ["data-delegate", "shared-handler"])
    #expect(
      lesson.examples.map(\.id) == [
        "session/data-delegate", "foundation/data-delegate", "session/shared-handler", "foundation/shared-handler",
      ])
    for example in lesson.examples {
      #expect(example.outcome.kind == .finished, "\(example.id): \(example.outcome.why)")
      #expect(example.product?.comparison == .equal, "\(example.id)")
      #expect(example.traffic.requests == 1 && example.memory.baseline > 0, "\(example.id)")
    }
    let delegate = lesson.examples[1]
    #expect(delegate.side == .foundation && delegate.seesCallbacks == true)
    let seen = delegate.callbacks.filter(\.implemented).map(\.name)
    #expect(seen.contains("urlSession(_:dataTask:didReceive:)"))
    #expect(lesson.examples[3].callbacks.map(\.name) == ["completionHandler"])
    #expect(status == .exited(0))
  }

  @Test func `one that does not compile there says why, and the others run`() async throws {
    let (lesson, status) = try await run("18", ["careless", "self-signed"])
    let result = try #require(lesson.examples.first { $0.id == "foundation/careless" })
    #expect(result.outcome.kind == .notCompiled && result.outcome.why.description.contains("serverTrust"))
    #expect(result.seesCallbacks == false && result.callbacks.isEmpty)
    #expect(lesson.examples.first { $0.id == "foundation/self-signed" }?.outcome.kind == .failed)
    #expect(status == .exited(0))
  }

  @Test func `one that crashes there is a result`() async throws {
    let (lesson, status) = try await run("14", ["cut-in-head"])
    #expect(lesson.examples.map(\.outcome.kind) == [.failed, .crashed])
    #expect(status == .exited(0))
  }

  @Test func `one that hangs there is a result`() async throws {
    let (lesson, status) = try await run("17", ["default"], "--timeout", "3s")
    #expect(lesson.examples.map(\.outcome.kind) == [.finished, .timedOut])
    #expect(status == .exited(0))
  }

  @Test func `a hang there is no longer waited for than its quick twin calls for`() async throws {
    let (lesson, _) = try await run("17", ["default"])
    let hang = try #require(lesson.examples.last)
    #expect(hang.outcome.kind == .timedOut && hang.time.wall < 15.5, "\(hang.time.wall) s")
  }

  @Test func `lessons are compiled beside each other, and nothing but their programs is kept`() async throws {
    let cache = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID())")
    defer { try? FileManager.default.removeItem(at: cache) }
    let examples = ["json", "queue-new", "download"].flatMap { ["--example", "session/\($0)"] }
    let arguments = ["run", "1", "3", "4", "--with-foundation", "--size", "64KiB", "--json"]
    let result = try await Command.run(arguments + examples, environment: ["XDG_CACHE_HOME": cache.path])
    let report = try JSONDecoder().decode(RunReport.self, from: Data(result.output.utf8))
    let ends = report.lessons.flatMap(\.examples).filter { $0.side == .foundation }.map(\.outcome.kind)
    #expect(ends == [.finished, .finished, .finished], "\(result.errors)")
    let kept = try FileManager.default.contentsOfDirectory(atPath: cache.path + "/workbench/toolchain")
    #expect(kept.count == 3 && !kept.contains { $0.hasPrefix("work-") }, "\(kept)")
  }

  @Test func `a claim that the toolchain shows too has that as its evidence`() async throws {
    let (lesson, status) = try await run("15", ["follow"])
    let check = try #require(lesson.checks.first { $0.id == "P15-05" })
    #expect(check.evidence == .toolchain && check.toolchain == ToolchainVerdict(.confirmed))
    #expect(status == .exited(0))
  }

  @Test func `one that it shows otherwise names the points, and stays as expected`() async throws {
    let (lesson, status) = try await run("24", ["cancelled"])
    let claim = try #require(lesson.claims.first { $0.id == "N3-05" })
    #expect(claim.isAsExpected && claim.evidence != .toolchain)
    #expect(claim.toolchain?.verdict == .refuted)
    #expect(claim.toolchain?.differing.map(\.what.description) == ["session/cancelled"])
    #expect(status == .exited(0))
  }

  @Test func `it is for Session examples of lessons`() async throws {
    #expect(try await Command.run("run", "none.swift", "--with-foundation").status == .exited(64))
    #expect(try await Command.run("run", "5", "--side", "connection", "--with-foundation").status == .exited(64))
  }

  /// Why an example cannot be compiled in such an environment; the run goes on all the same.
  private func reason(in environment: [Environment.Key: String?]) async throws -> String {
    let arguments = ["run", "5", "--example", "session/data-delegate", "--with-foundation", "--size", "1MiB", "--json"]
    let result = try await Command.run(arguments, environment: environment)
    let report = try JSONDecoder().decode(RunReport.self, from: Data(result.output.utf8))
    #expect(report.lessons.first?.examples.map(\.outcome.kind) == [.finished, .notCompiled], "\(result.errors)")
    #expect(result.status == .exited(0))
    return (report.lessons.first?.examples.last?.outcome.why ?? .empty).description
  }

  @Test func `without the compiler each says so, and the run goes on`() async throws {
    #expect(try await reason(in: ["PATH": "/nowhere"]).contains("swiftc"))
  }

  @Test func `a toolchain without FoundationNetworking is each one's reason, and the run goes on`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tools-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let compiler = folder.appendingPathComponent("swiftc")
    let script = "#!/bin/sh\necho \"SessionAPI.swift:5:28: error: no such module 'FoundationNetworking'\" >&2\nexit 1\n"
    try Data(script.utf8).write(to: compiler)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: compiler.path)
    let path = folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    #expect(
      try await reason(in: ["PATH": path, "XDG_CACHE_HOME": folder.path])
        .contains("no such module 'FoundationNetworking'"))
  }
}
