// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage

/// The built executable, run as a person would.
enum Command {
  struct Result {
    var status: TerminationStatus
    var output: String
    var errors: String
  }

  static let path = FilePath(
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("workbench").path)

  /// Runs it to its end.
  static func run(_ arguments: String..., environment: [Environment.Key: String?] = [:]) async throws -> Result {
    try await run(arguments, environment: environment)
  }

  /// Runs it to its end.
  static func run(_ arguments: [String], environment: [Environment.Key: String?] = [:]) async throws -> Result {
    let result = try await Subprocess.run(
      .path(path), arguments: Arguments(arguments), environment: .inherit.updating(environment),
      output: .string(limit: 4 << 20), error: .string(limit: 1 << 20))
    return Result(
      status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
  }

  /// Starts it, waits for its first line, does something, and answers how it ended and that line.
  static func start(
    _ arguments: String..., then: (pid_t, String) async throws -> Void
  ) async throws -> TerminationStatus {
    try await Subprocess.run(
      .path(path), arguments: Arguments(arguments), input: .none, output: .sequence, error: .discarded
    ) { execution in
      for try await line in execution.standardOutput.strings() {
        try await then(execution.processIdentifier.value, line.trimmingCharacters(in: .newlines))
      }
    }.terminationStatus
  }
}
