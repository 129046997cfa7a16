// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Reports
import Subprocess
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct RunTests {
  private func report(_ arguments: String...) async throws -> (report: RunReport, status: TerminationStatus) {
    let result = try await Command.run(["run"] + arguments + ["--json"])
    return (try JSONDecoder().decode(RunReport.self, from: Data(result.output.utf8)), result.status)
  }

  @Test func `lesson 5 comes out as expected, every body whole`() async throws {
    let (report, status) = try await report("5", "--size", "16MiB")
    let lesson = try #require(report.lessons.first)
    for claim in lesson.claims { #expect(claim.verdict == claim.expected, "\(claim.id): \(claim.findings)") }
    #expect(lesson.claims.count == 13)
    // The borrowed one has a body of its own lesson's size.
    let others = ["without-", "divided", "counted"]
    for example in lesson.examples where !others.contains(where: example.id.contains) {
      #expect(example.outcome.kind == .finished, "\(example.id): \(example.outcome.why)")
      #expect(example.outcome.bytes == 16 << 20 && example.product?.comparison == .equal, "\(example.id)")
      #expect(example.traffic.requests == 1 && example.traffic.sockets == 1, "\(example.id)")
    }
    #expect(status == .exited(0))
  }

  @Test func `examples of one home find nothing that others, or an earlier run, have stored`() async throws {
    for _ in 0..<2 {
      let (report, status) = try await report("19", "--size", "1MiB")
      for claim in report.lessons.flatMap({ $0.claims + $0.checks }) {
        #expect(claim.verdict == claim.expected, "\(claim.id): \(claim.findings)")
      }
      #expect(status == .exited(0))
    }
  }

  @Test func `one side, one example and a number of repetitions can be chosen`() async throws {
    let run = try await report(
      "5", "--side", "session", "--example", "data-delegate", "--repeat", "2", "--size", "1MiB")
    #expect(run.report.lessons[0].examples.map(\.id) == ["session/data-delegate", "session/data-delegate"])
    #expect(run.report.bodyBytes == 1 << 20)
    #expect(run.status == .exited(0))
  }

  @Test func `a repeated example has a row with its median, and each run has one with --verbose`() async throws {
    let line = ["run", "5", "--example", "data-delegate", "--repeat", "3", "--size", "1MiB", "--no-pager"]
    func rows(_ options: String...) async throws -> (table: Int, medians: Int) {
      let output = try await Command.run(line + options).output
      let table = output.components(separatedBy: "\nThe examples").first ?? ""
      let parts = table.components(separatedBy: "Medians of 3 runs")
      let counts = parts.map { $0.components(separatedBy: "data-delegate ").count - 1 }
      return (counts.first ?? 0, counts.dropFirst().first ?? 0)
    }
    #expect(try await rows() == (0, 1))
    #expect(try await rows("--verbose") == (3, 1))
  }

  @Test func `--verbose tells what was sent and what came back`() async throws {
    for language in ["en", "zh-Hans"] {
      let run = try await Command.run(
        "run", "17", "--example", "connection/basic", "--verbose", "--no-pager", "--language", language)
      let lines = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
      let hidden = language == "en" ? "(hidden)" : "（已隐藏）"
      for line in [
        "> GET /basic HTTP/1.1", "> Authorization: \(hidden)", "< HTTP/1.1 401 Unauthorized", "< HTTP/1.1 200 OK",
      ] {
        #expect(lines.contains { $0 == line }, "\(line): \(run.output)")
      }
      #expect(lines.contains { $0.hasPrefix("< WWW-Authenticate: Basic realm=") })
    }
  }

  @Test func `two jobs come to the same results in the same order as one`() async throws {
    let one = try await report("13", "--size", "1MiB")
    let two = try await report("13", "--size", "1MiB", "--jobs", "2")
    for run in [one, two] { #expect(run.status == .exited(0)) }
    let (first, second) = (try #require(one.report.lessons.first), try #require(two.report.lessons.first))
    #expect(first.examples.map(\.id) == second.examples.map(\.id))
    #expect(first.examples.map(\.outcome) == second.examples.map(\.outcome))
    #expect(first.claims.map(\.id) == second.claims.map(\.id))
    #expect(first.claims.map(\.verdict) == second.claims.map(\.verdict))
  }

  @Test func `the printed model has exactly the keys of version 2`() async throws {
    let result = try await Command.run("run", "5", "--example", "connection/delegate-main", "--size", "1MiB", "--json")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["schema", "version", "machine", "started", "bodyBytes", "partial", "lessons"])
    let lesson = try #require((object["lessons"] as? [[String: Any]])?.first)
    #expect(
      Set(lesson.keys) == ["id", "title", "incomplete", "shows", "subject", "examples", "pairs", "claims", "checks"])
    let example = try #require((lesson["examples"] as? [[String: Any]])?.first)
    #expect(
      Set(example.keys) == [
        "id", "side", "outcome", "time", "memory", "threads", "callbacks", "mainThread", "traffic", "title",
        "product", "loads", "ticks", "happenings", "printed", "requests", "flow", "pitfalls", "sent",
      ])
    let outcome = try #require(example["outcome"] as? [String: Any])
    #expect(Set(outcome.keys) == ["kind", "bytes", "status", "error", "why"])
    #expect(outcome["error"] is NSNull)
    let callback = try #require((example["callbacks"] as? [[String: Any]])?.first)
    #expect(Set(callback.keys) == ["name", "count", "first", "last", "places", "detail", "implemented"])
    let place = try #require((callback["places"] as? [[String: Any]])?.first)
    #expect(Set(place.keys) == ["thread", "queue", "runLoopMode", "count"])
    let memory = try #require(example["memory"] as? [String: Any])
    #expect(Set(memory.keys) == ["baseline", "peak", "growth", "curve"])
    #expect((memory["curve"] as? [[Double]])?.first?.count == 2)
  }

  @Test func `an unknown example is a usage error that names the closest`() async throws {
    let result = try await Command.run("run", "5", "--example", "delegate-mian")
    #expect(result.status == .exited(64))
    #expect(result.errors.contains("connection/delegate-main"))
  }

  @Test func `a temporary folder without rights is named, with status 3`() async throws {
    let result = try await Command.run(
      "run", "5", "--example", "delegate-main", "--size", "1KiB", environment: ["TMPDIR": "/proc/nowhere"])
    #expect(result.status == .exited(3))
    #expect(result.errors.contains("/proc/nowhere") && result.errors.contains("TMPDIR"))
  }
}
