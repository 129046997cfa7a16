// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Locking
import Subprocess
import SystemPackage
import Testing

/// Runs that break off, and what they leave. No event tells a stranger that a process has begun: where a test waits for
/// one, it reads the kernel's table again and again.
@Suite(.serialized, .timeLimit(.minutes(3))) struct InterruptionTests {
  private struct Broken {
    var status: TerminationStatus
    var output: String
    var errors: String
  }

  /// Runs it, and does something when a line on standard output contains `text`, or, without one, when server and example
  /// run.
  private func run(
    _ arguments: String..., environment: [Environment.Key: String?] = [:], until text: String? = nil,
    then act: @escaping @Sendable (pid_t) throws -> Void
  ) async throws -> Broken {
    let result = try await Subprocess.run(
      .path(Command.path), arguments: Arguments(["run"] + arguments), environment: Command.environment(environment),
      input: .none, output: .sequence, error: .sequence
    ) { execution in
      let pid = execution.processIdentifier.value
      async let errors = Self.all(execution.standardError)
      if text == nil {
        try await Self.onceRunning(pid, act)
      }
      var (output, hasActed) = ("", text == nil)
      for try await line in execution.standardOutput.strings() {
        output += line
        if let text, !hasActed, line.contains(text) {
          hasActed = true
          try act(pid)
        }
      }
      return (output, try await errors)
    }
    return Broken(status: result.terminationStatus, output: result.closureResult.0, errors: result.closureResult.1)
  }

  /// Waits until a child of the process has this word among its arguments, or the process is over; on a thread like that
  /// of `onceRunning`.
  private static func child(of pid: pid_t, with word: String) -> pid_t? {
    while Processes.lives(pid) {
      let child = Processes.children(of: pid).first { Processes.arguments(of: $0).contains(word) }
      if let child { return child }
      usleep(2000)
    }
    return nil
  }

  /// Acts once server and example run, or the process is over: on a thread of its own, for other tests hold those of the
  /// pool for seconds. The kernel announces a new process to its parent alone, so the thread looks into the table.
  private static func onceRunning(_ pid: pid_t, _ act: @escaping @Sendable (pid_t) throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        while Processes.children(of: pid).count < 2, Processes.lives(pid) { usleep(2000) }
        done.resume(with: Result { try act(pid) })
      }
    }
  }

  private static func all(_ stream: SubprocessOutputSequence) async throws -> String {
    var text = ""
    for try await line in stream.strings() { text += line }
    return text
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a run that nothing was measured of says so, and prints JSON`(signal: Int32, status: Int32) async throws {
    let run = try await run("5", "--example", "connection/throttled", "--size", "1MiB", "--json") { kill($0, signal) }
    #expect(run.status == .exited(status))
    #expect(run.errors == "workbench: interrupted before anything was measured")
    let report = try JSONDecoder().decode(RunReport.self, from: Data(run.output.utf8))
    #expect(report.partial && report.lessons.isEmpty && report.bodyBytes == 1 << 20)
  }

  @Test func `each result is printed when it is there, and an interrupt keeps it`() async throws {
    let run = try await run("5", "--side", "connection", "--size", "1MiB", until: "delegate-main") { pid in
      #expect(!Processes.children(of: pid).isEmpty, "the run goes on")
      kill(pid, SIGINT)
    }
    #expect(run.status == .exited(130))
    #expect(run.output.contains("Interrupted: not every example of this lesson has run."), "\(run.output)")
    #expect(run.errors.contains(/[0-9]+ of [0-9]+ claims settled; interrupted$/), "\(run.errors)")
  }

  @Test func `an interrupted run writes the page it was asked for, and the page says so`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("page.html")
    let run = try await run(
      "5", "--side", "connection", "--size", "1MiB", "--html", page.path, until: "delegate-main"
    ) { kill($0, SIGINT) }
    #expect(run.status == .exited(130))
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.hasSuffix("</html>\n") && text.contains("Interrupted: not every example of this lesson has run."))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["page.html"])
  }

  @Test func `a page whose folder goes while the run goes on is a sentence, and the report is printed`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("page.html").path
    let run = try await run(
      "5", "--example", "connection/delegate-main", "--size", "1MiB", "--html", path
    ) { _ in try FileManager.default.removeItem(at: folder) }
    #expect(run.status == .exited(3))
    #expect(run.output.contains("delegate-main"))
    #expect(run.errors.contains("“\(path)” cannot be written now."), "\(run.errors)")
  }

  @Test func `a partial report as JSON says which lesson is incomplete`() async throws {
    let run = try await run(
      "5", "--example", "connection/delegate-main", "--example", "connection/throttled", "--repeat", "40", "--size",
      "64KiB", "--json"
    ) { pid in
      let server = Processes.children(of: pid).first { Processes.arguments(of: $0).contains("_server") }
      // The second example's process: something has been measured then.
      _ = Self.child(of: pid, with: "throttled")
      kill(try #require(server), SIGKILL)
    }
    #expect(run.status == .exited(3))
    #expect(run.errors.contains("this is what was measured until then"))
    #expect(run.errors.contains("The lesson server's process has ended"))
    let report = try JSONDecoder().decode(RunReport.self, from: Data(run.output.utf8))
    #expect(report.partial && report.lessons.count == 1 && report.lessons[0].incomplete)
    #expect(report.lessons[0].examples.contains { $0.id == "connection/delegate-main" })
  }

  @Test func `a server that is killed ends a run with 3, and what was measured is shown`() async throws {
    let run = try await run("5", "--side", "connection", "--size", "1MiB", until: "delegate-main") { pid in
      let server = Processes.children(of: pid).first { Processes.arguments(of: $0).contains("_server") }
      kill(try #require(server), SIGKILL)
    }
    #expect(run.status == .exited(3))
    #expect(run.output.contains("Interrupted: not every example of this lesson has run."), "\(run.output)")
    #expect(run.errors.contains("The lesson server's process has ended"))
  }

  @Test func `one of two servers that is killed ends a run of two jobs with 3`() async throws {
    let run = try await run("9", "--size", "1MiB", "--jobs", "2", until: "default-mode") { pid in
      let server = Processes.children(of: pid).first { Processes.arguments(of: $0).contains("_server") }
      kill(try #require(server), SIGKILL)
    }
    #expect(run.status == .exited(3))
    #expect(run.output.contains("Interrupted: not every example of this lesson has run."), "\(run.output)")
    #expect(run.errors.contains("The lesson server's process has ended"))
  }

  @Test func `an interrupt ends server and examples`() async throws {
    let seen = Locked<[pid_t]>([])
    let run = try await run("5", "--example", "connection/throttled", "--size", "1MiB") { pid in
      let children = Processes.children(of: pid)
      seen.withLock { $0 = children }
      kill(pid, SIGINT)
    }
    #expect(run.status == .exited(130))
    for child in seen.withLock({ $0 }) { #expect(!Processes.lives(child), "\(child) is still there") }
  }

  @Test func `an interrupt in the second lesson keeps the first`() async throws {
    let run = try await run("13", "9", "--side", "session", "--size", "1MiB") { pid in
      _ = Self.child(of: pid, with: "lesson-09")
      kill(pid, SIGINT)
    }
    #expect(run.status == .exited(130))
    #expect(run.errors.contains("interrupted") && run.output.contains("lesson-13"))
  }

  @Test func `an interrupt while two examples run keeps what was measured and leaves no process`() async throws {
    let seen = Locked<[pid_t]>([])
    let run = try await run("13", "9", "--side", "session", "--size", "1MiB", "--jobs", "2") { pid in
      var examples: [pid_t] = []
      while examples.count < 2, Processes.lives(pid) {
        examples = Processes.children(of: pid).filter { Processes.arguments(of: $0).contains("lesson-09") }
        usleep(2000)
      }
      seen.withLock { $0 = Processes.children(of: pid) }
      kill(pid, SIGINT)
    }
    #expect(run.status == .exited(130))
    #expect(run.errors.contains("interrupted") && run.output.contains("lesson-13"))
    let children = seen.withLock { $0 }
    #expect(children.count == 4, "two examples, a server for each")
    for child in children { #expect(!Processes.lives(child), "\(child) is still there") }
  }

  @Test func `a killed example is a result, with status 1`() async throws {
    let run = try await run("5", "--example", "connection/throttled", "--size", "1MiB", "--json") { pid in
      kill(try #require(Self.child(of: pid, with: "_example")), SIGKILL)
    }
    #expect(run.status == .exited(1))
    let report = try JSONDecoder().decode(RunReport.self, from: Data(run.output.utf8))
    #expect(report.lessons[0].examples[0].outcome.kind == .crashed)
    #expect(report.lessons[0].examples[0].outcome.why.description.hasPrefix("SIGKILL"))
  }

  @Test func `what a killed run left, the next one removes`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("killed-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder) }
    let killed = try await run(
      "5", "--example", "connection/throttled", "--size", "1MiB", environment: ["TMPDIR": folder]
    ) { pid in
      let children = Processes.children(of: pid)
      kill(pid, SIGKILL)
      for child in children { kill(child, SIGKILL) }
    }
    #expect(killed.status == .signaled(SIGKILL))
    #expect(try left().contains { $0.hasPrefix("workbench-run-") })
    let next = try await Command.run(
      ["run", "5", "--example", "connection/delegate-main", "--size", "1KiB"], environment: ["TMPDIR": folder])
    #expect(next.status == .exited(0), "\(next.errors)")
    #expect(try left().isEmpty)
  }

  @Test func `a reader who has gone ends the run without an error`() async throws {
    let line = "'\(Command.path.string)' run 5 --side connection --size 1MiB | head -n 1; echo ${PIPESTATUS[0]}"
    let result = try await Subprocess.run(
      .name("bash"), arguments: ["-c", line], environment: Command.environment(), output: .string(limit: 1 << 20),
      error: .string(limit: 1 << 20))
    #expect(result.standardOutput.hasSuffix("\n0\n"), "\(result.standardOutput) \(result.standardError)")
  }
}
