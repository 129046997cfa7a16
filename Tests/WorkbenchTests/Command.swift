// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// The built executable, run as a person would, in English on a terminal of UTF-8 unless a test says otherwise.
enum Command {
  struct Result {
    var status: TerminationStatus
    var output: String
    var errors: String
  }

  static let path = FilePath(
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("workbench").path)

  /// The compiled programs of all tests, which stay beside the build: the compiler reads the system's modules once.
  static let cache: [Environment.Key: String?] = [
    "XDG_CACHE_HOME": path.removingLastComponent().appending("programs-of-tests").string
  ]

  /// The environment of the tests with these changes. Its language is English, whatever that of the person who tests.
  static func environment(_ changes: [Environment.Key: String?] = [:]) -> Environment {
    let english: [Environment.Key: String?] = [
      "LC_ALL": "C.UTF-8", "LC_MESSAGES": nil, "LC_CTYPE": nil, "LANG": "C.UTF-8", "LANGUAGE": nil,
    ]
    return .inherit.updating(english.merging(changes) { $1 })
  }

  /// Runs it to its end.
  static func run(_ arguments: String..., environment: [Environment.Key: String?] = [:]) async throws -> Result {
    try await run(arguments, environment: environment)
  }

  /// Runs it to its end.
  static func run(_ arguments: [String], environment: [Environment.Key: String?] = [:]) async throws -> Result {
    let result = try await Subprocess.run(
      .path(path), arguments: Arguments(arguments), environment: Self.environment(environment),
      output: .string(limit: 4 << 20), error: .string(limit: 1 << 20))
    return Result(
      status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
  }

  /// Starts it, waits for its first line, does something, and answers how it ended and that line.
  static func start(
    _ arguments: String..., environment: [Environment.Key: String?] = [:], workingDirectory: FilePath? = nil,
    then: (pid_t, String) async throws -> Void
  ) async throws -> TerminationStatus {
    try await Subprocess.run(
      .path(path), arguments: Arguments(arguments), environment: Self.environment(environment),
      workingDirectory: workingDirectory, input: .none, output: .sequence, error: .discarded
    ) { execution in
      for try await line in execution.standardOutput.strings() {
        try await then(execution.processIdentifier.value, line.trimmingCharacters(in: .newlines))
      }
    }.terminationStatus
  }

  /// Makes a course of two new exercises, which take no time.
  static func makeCourse(_ course: URL) async throws {
    for name in ["lesson-01-one", "lesson-02-two"] {
      let result = try await run("exercise", "new", name, "--course", course.path, environment: cache)
      try #require(result.status == .exited(0), "\(result.errors)")
    }
  }

  /// Runs it to its end on a terminal of 24 lines and 80 columns, with `answers` typed there.
  static func onTerminal(
    _ arguments: String, environment: [Environment.Key: String?] = [:], answers: String = ""
  ) async throws -> Result {
    let line = "stty rows 24 cols 80; exec '\(path.string)' \(arguments)"
    let terminal: [Environment.Key: String?] = ["TERM": "xterm", "PAGER": nil, "LESS": nil, "NO_COLOR": nil]
    let result = try await Subprocess.run(
      .name("script"), arguments: ["-qec", line, "/dev/null"],
      environment: Self.environment(terminal.merging(environment) { $1 }),
      input: .string(answers), output: .string(limit: 4 << 20), error: .string(limit: 1 << 20))
    return Result(
      status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
  }
}
