// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Subprocess
import SystemPackage

/// One run of a tool to its end, with what it wrote.
struct ToolRun: Sendable, Hashable {
  /// The limits of a tool; the kernel ends a process that uses more.
  struct Limits: Sendable, Hashable {
    /// Seconds of processor time, for each of its processes: half of the time in all, which a busy machine may take.
    var processorSeconds = 30
    /// Bytes of memory, for each of its processes.
    var memory = 3 << 30
    /// How long it may take in all.
    var wall = Duration.seconds(60)
  }

  private static let kept = 1 << 20

  /// True if it ended with status 0.
  var succeeded: Bool
  /// The text that it wrote to standard output and standard error, the first mebibyte.
  var output: String
  /// The signal that ended it, because of a limit, a fault of its own or the machine's; nil where none did.
  var signal: Int32?
  /// True if its time in all was over.
  var isTimedOut = false

  /// True if the machine ended it, or was too busy for it: by its own limits it ends in another way.
  var isEndedByMachine: Bool { isTimedOut || signal == SIGKILL }

  /// Runs a tool within limits, with its temporary files in `temporary`, else as the other one. A shell sets those of the kernel; limits below that are there stay.
  init(_ tool: String, _ arguments: [String], _ limits: Limits, temporary: String) async throws {
    // Its own time is over with SIGXCPU, before the kernel kills it.
    let time = "ulimit -S -t \(limits.processorSeconds); ulimit -H -t \(limits.processorSeconds + 5)"
    let set = "\(time); ulimit -d \(limits.memory >> 10); ulimit -c 0"
    let command = ["-c", "TMPDIR=$0; export TMPDIR; { \(set); } 2>/dev/null; exec \"$@\"", temporary, tool] + arguments
    let run = try await withThrowingTaskGroup(of: ToolRun?.self) { group in
      group.addTask { try await ToolRun("/bin/sh", command) }
      group.addTask {
        try? await Task.sleep(for: limits.wall)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    try Task.checkCancellation()
    self = run ?? ToolRun()
  }

  /// A run whose time is over.
  private init() { (succeeded, output, isTimedOut) = (false, "", true) }

  /// Runs a tool in a process group of its own, which ends when the task is cancelled.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be started; `CancellationError`.
  init(_ tool: String, _ arguments: [String]) async throws {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
    ]
    do {
      let result = try await Subprocess.run(
        .path(FilePath(tool)), arguments: Arguments(arguments), platformOptions: options, input: .none,
        output: .sequence, error: .combinedWithOutput
      ) { execution in
        var bytes: [UInt8] = []
        for try await buffer in execution.standardOutput {
          buffer.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(Self.kept - bytes.count)) }
        }
        return bytes
      }
      try Task.checkCancellation()
      succeeded = result.terminationStatus.isSuccess
      // A compiler shows the lines that it is about, whatever stands in them.
      output = VisibleText.of(String(decoding: result.closureResult, as: UTF8.self))
      if case .signaled(let number) = result.terminationStatus {
        signal = number
      } else if !succeeded, let told = output.firstMatch(of: /failed due to signal ([0-9]+)/) {
        // The compiler's driver tells so of a process of its own.
        signal = Int32(told.1)
      }
    } catch let error as SubprocessError {
      try Task.checkCancellation()
      throw LessonKitError(.environment, "\(tool) could not be started: \("\(error)" as String).")
    }
  }
}
