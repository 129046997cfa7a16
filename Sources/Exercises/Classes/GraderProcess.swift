// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Subprocess
import SystemPackage

/// The grading of one hand-in in a process of its own, so that whatever the hand-in does to its grader, the others go on.
public struct GraderProcess: Sendable {
  /// How long a process that was asked to end may take: its own children have a second each.
  private static let grace = Duration.seconds(8)

  /// The outcome of the grading.
  enum Ending: Sendable, Hashable {
    /// The grader ended, or the hand-in ended it: this is the report that it left.
    case graded(GradeReport)
    /// The grader could not do its work, and left this exit status; nil where it has none.
    case failed(Int32?)
  }

  private let executable: String
  private let arguments: [String]
  private let limit: Duration

  /// Processes of the workbench, each called with these arguments of `grade` beside the hand-in and its files, for at most
  /// `limit`.
  public init(executable: String = "/proc/self/exe", arguments: [String], limit: Duration) {
    (self.executable, self.arguments, self.limit) = (executable, arguments, limit)
  }

  /// Grades a hand-in; the report goes through the file `output`, what the grader says into `log`.
  ///
  /// - Throws: `LessonKitError` with code `environment` when no process can be started; `CancellationError`.
  func grade(_ handIn: HandIn, output: URL, log: URL) async throws -> Ending {
    try? FileManager.default.removeItem(at: output)
    let status = try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
      group.addTask { try await run(handIn, output, log) }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    try Task.checkCancellation()
    defer { try? FileManager.default.removeItem(at: output) }
    guard Self.counts(status), let data = FileManager.default.contents(atPath: output.path),
      let report = try? JSONDecoder().decode(GradeReport.self, from: data)
    else { return .failed(status.map(Self.number)) }
    return .graded(report)
  }

  /// True if a grader that ended so leaves a report of the hand-in. Its crash is the hand-in's doing, and so is a time that is
  /// over; another signal, a machine that lacks something and a fault that the grader names say nothing of the hand-in.
  private static func counts(_ status: TerminationStatus?) -> Bool {
    switch status {
    case nil, .exited(0), .exited(64): true
    case .signaled(let signal): [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV].contains(signal)
    default: false
    }
  }

  private static func number(_ status: TerminationStatus) -> Int32 {
    switch status {
    case .exited(let code): code
    case .signaled(let signal): 128 + signal
    }
  }

  private func run(_ handIn: HandIn, _ output: URL, _ log: URL) async throws -> TerminationStatus {
    let places = handIn.places.map(\.path)
    let further = places.dropFirst().flatMap { ["--with", $0] }
    let words = ["grade"] + arguments + ["--of-class", "--output", output.path] + further + ["--"] + places.prefix(1)
    var options = PlatformOptions()
    // Ctrl-C at the terminal is the parent's; it ends the child in its own way.
    options.processGroupID = 0
    options.teardownSequence = [
      .gracefulShutDown(toProcessGroup: false, allowedDurationToNextStep: Self.grace)
    ]
    do {
      let said = try FileDescriptor.open(
        FilePath(log.path), .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: [.ownerReadWrite])
      return try await Subprocess.run(
        .path(FilePath(executable)), arguments: Arguments(words), platformOptions: options, input: .inputWriter,
        output: .sequence, error: .fileDescriptor(said, closeAfterSpawningProcess: true)
      ) { execution in
        // It prints nothing, and the end of its output is its own.
        for try await _ in execution.standardOutput {}
        // Its standard input stays open until here: the end of that would tell it that its parent is gone.
        try? await execution.standardInputWriter.finish()
      }.terminationStatus
    } catch let error as SubprocessError {
      try Task.checkCancellation()
      throw LessonKitError(.environment, "\(executable) could not be started: \("\(error)" as String).")
    } catch let error as Errno {
      throw LessonKitError(
        .environment, "The file \(log.path) could not be written: \("\(error)" as String). Is there space on that disk?"
      )
    }
  }
}
