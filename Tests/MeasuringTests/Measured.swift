// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Measuring
import Pitfalls
import Subprocess
import SystemPackage

/// `workbench measure`, run as a person would, and what it wrote as JSON.
struct Measured {
  var status: TerminationStatus
  var output: String
  /// The report, and what the program itself says there.
  var errors: String
  /// nil where the command was not started.
  var result: CommandResult?

  var process: ProcessResult? { result?.processes.first }
  var pitfalls: [Pitfall] { result?.processes.flatMap(\.pitfalls).map(\.pitfall) ?? [] }

  private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
  static let workbench = folder.appendingPathComponent("workbench").path
  static let program = folder.appendingPathComponent("MeasuredProgram").path

  /// Measures the program in this mode.
  static func run(_ arguments: String...) async throws -> Measured { try await command([program] + arguments) }

  /// Measures a line of the shell, in which `$P` is the program.
  static func shell(_ line: String, input: String = "") async throws -> Measured {
    try await command(["/bin/sh", "-c", line], input: input)
  }

  /// Measures any command, and does something once it has written a line.
  static func command(
    _ command: [String], input: String = "", atFirstLine act: (@Sendable (pid_t) -> Void)? = nil
  ) async throws -> Measured {
    let report = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("measured-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: report) }
    let result = try await Subprocess.run(
      .path(FilePath(workbench)), arguments: Arguments(["measure", "--json", report.path, "--"] + command),
      environment: environment, input: .string(input), output: .sequence, error: .sequence
    ) { execution in
      async let errors = all(execution.standardError)
      var (output, hasActed) = ("", false)
      for try await line in execution.standardOutput.strings() {
        output += line.trimmingCharacters(in: .newlines) + "\n"
        if !hasActed { act?(execution.processIdentifier.value) }
        hasActed = true
      }
      return (output, try await errors)
    }
    let written = FileManager.default.contents(atPath: report.path)
    return Measured(
      status: result.terminationStatus, output: result.closureResult.0, errors: result.closureResult.1,
      result: try written.flatMap { $0.isEmpty ? nil : try JSONDecoder().decode(CommandResult.self, from: $0) })
  }

  /// Runs the program alone, as a line of the shell, with `WORKBENCH_PITFALLS`.
  static func alone(_ line: String) async throws -> (status: TerminationStatus, output: String, errors: String) {
    let result = try await Subprocess.run(
      .path("/bin/sh"), arguments: ["-c", line], environment: environment.updating(["WORKBENCH_PITFALLS": "1"]),
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    return (result.terminationStatus, result.standardOutput, result.standardError)
  }

  private static let environment = Environment.inherit.updating([
    "LC_ALL": "C.UTF-8", "P": program, "WORKBENCH": workbench, "NO_COLOR": "1",
  ])

  private static func all(_ lines: SubprocessOutputSequence) async throws -> String {
    var text = ""
    for try await line in lines.strings() { text += line.trimmingCharacters(in: .newlines) + "\n" }
    return text
  }

  /// The folders of measurements in /tmp, of which the kernel says that nobody holds their lock.
  static var foldersLeft: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
    return names.filter { name in
      guard name.hasPrefix("workbench-measure-") else { return false }
      let folder = open("/tmp/\(name)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else { return false }
      defer { close(folder) }
      return flock(folder, LOCK_SH | LOCK_NB) == 0
    }
  }
}
