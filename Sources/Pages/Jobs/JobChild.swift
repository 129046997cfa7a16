// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Subprocess
import SystemPackage

/// A job's process, seen from its parent.
struct JobChild: Sendable {
  /// How long a child that was asked to end may take: its own children have a second each, and a report is written.
  private static let grace = Duration.seconds(8)

  /// The executable that understands `_job`.
  var executable: String

  /// Starts the child and hands on what it says until it has ended. An element of `stops` asks it to end, as Ctrl-C does;
  /// it may still say something then.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be started.
  func run(
    _ order: JobRequest, stops: AsyncStream<Void>, tell: @escaping @Sendable (JobEvent) -> Void
  ) async throws {
    let argument = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
    var options = PlatformOptions()
    // Ctrl-C at the terminal is the parent's; it ends the child in its own way.
    options.processGroupID = 0
    do {
      _ = try await Subprocess.run(
        .path(FilePath(executable)), arguments: ["_job", argument], platformOptions: options,
        input: .inputWriter, output: .sequence, error: .discarded
      ) { execution in
        try await Self.attend(execution, stops, tell)
      }
    } catch let error as SubprocessError {
      throw LessonKitError(
        .environment, "The process of the run could not be started from \(executable): \(error). Is it still there?")
    }
  }

  private static func attend(
    _ execution: Execution<CustomWriteInput, SequenceOutput, DiscardedOutput>, _ stops: AsyncStream<Void>,
    _ tell: @escaping @Sendable (JobEvent) -> Void
  ) async throws {
    let pid = execution.processIdentifier.value
    let stopping = Task {
      for await _ in stops {
        kill(pid, SIGTERM)
        try await Task.sleep(for: grace)
        kill(-pid, SIGKILL)
        break
      }
    }
    defer { stopping.cancel() }
    for try await line in execution.standardOutput.strings(bufferingPolicy: .maxLineLength(16 << 20)) {
      if let event = try? JSONDecoder().decode(JobEvent.self, from: Data(line.utf8)) { tell(event) }
    }
    // The child's standard input stays open until here: its end would tell it that its parent is gone.
    try? await execution.standardInputWriter.finish()
  }
}
