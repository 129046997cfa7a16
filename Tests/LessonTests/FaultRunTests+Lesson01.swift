// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Lessons
import Testing

/// The good forms of lesson 1 against a server that misbehaves: each says why it has nothing, and takes no part of an
/// answer, and no error page, for the answer.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FirstRequestFaultTests {
  private static let documents = ["connection/json", "session/json"]
  private static let bodies = ["connection/not-started", "session/resumed-late"]
  private static let head = "connection/head"

  /// What each of the examples prints last.
  private func lastLines(
    _ examples: [String], _ resource: Example.Resource?, fileLimit: Int? = nil
  ) async throws -> [String: String] {
    var options = RunOptions(bodyBytes: 1 << 20)
    (options.resource, options.fileLimit) = (resource, fileLimit)
    var lines: [String: String] = [:]
    for example in examples {
      let run = try await LessonRuns.run(example, of: 1, options)
      let kind = run.result.outcome.kind
      #expect(kind == .finished || kind == .failed, "\(example) comes to its end")
      #expect(run.printed.count { $0.hasPrefix("failed: ") } <= 1, "\(example) says it once")
      lines[example] = run.printed.last ?? ""
    }
    return lines
  }

  @Test(arguments: [404, 503, 416])
  func `an error page is no document and no body`(_ status: Int) async throws {
    let lines = try await lastLines(Self.documents + Self.bodies + [Self.head], .path("/status/\(status)"))
    for (example, line) in lines { #expect(line.hasPrefix("failed: "), "\(example): \(line)") }
    for example in Self.bodies + [Self.head, "connection/json"] {
      #expect(lines[example] == "failed: status \(status)")
    }
  }

  @Test(arguments: ["fin", "rst"])
  func `a part of an answer is an error`(_ end: String) async throws {
    let lines = try await lastLines(Self.documents + Self.bodies, .path("/body?size=4096&cut=1000&by=\(end)"))
    for (example, line) in lines { #expect(line.hasPrefix("failed: "), "\(example): \(line)") }
  }

  @Test func `a server that is not there is an error`() async throws {
    let lines = try await lastLines(Self.documents + Self.bodies + [Self.head], .refused)
    for (example, line) in lines { #expect(line.hasPrefix("failed: "), "\(example): \(line)") }
  }

  @Test func `a length that is not announced is no error`() async throws {
    let lines = try await lastLines(Self.bodies + [Self.head], .path("/body?size=4096&length=none"))
    for example in Self.bodies { #expect(lines[example] == "received 4096 bytes") }
    #expect(lines[Self.head] == "the server does not say how long the body is")
  }

  @Test func `an empty body is a body, but no document`() async throws {
    let lines = try await lastLines(Self.documents + Self.bodies + [Self.head], .path("/body?size=0"))
    for example in Self.documents { #expect(lines[example]?.hasPrefix("failed: ") == true) }
    for example in Self.bodies { #expect(lines[example] == "received 0 bytes") }
    #expect(lines[Self.head] == "the body would have 0 bytes")
  }

  @Test func `a full disk does not matter to what is kept in memory`() async throws {
    let lines = try await lastLines(Self.documents + Self.bodies, nil, fileLimit: 0)
    for example in Self.documents { #expect(lines[example] == "the document names lesson first-request") }
    for example in Self.bodies { #expect(lines[example] == "received 79 bytes") }
  }
}
