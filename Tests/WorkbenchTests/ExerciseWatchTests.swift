// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `exercise watch` on a terminal.
@Suite(.serialized, .timeLimit(.minutes(4))) struct ExerciseWatchTests {
  private static let keys = "n next, p previous, h hint, l list, c check all, x reset, q quit\n"
  private static let failing = "not passed yet, 0 of 10 points\n"
  private static let passed = "passed, 10 of 10 points\n"
  private let home = FileManager.default.temporaryDirectory.appendingPathComponent("watched-\(UUID())")
  private var folder: URL { home.appendingPathComponent("student") }
  private var file: URL { folder.appendingPathComponent("lesson-01-one/Exercise.swift") }
  /// A course of two new exercises, which take no time.
  private var environment: [Environment.Key: String?] {
    Command.cache.merging(["WORKBENCH_COURSE": course.path]) { $1 }
  }

  private var course: URL { home.appendingPathComponent("course") }

  /// Starts `exercise watch`, waits for the first check, calls `body`, and presses q.
  private func watch(
    _ options: String = "", _ body: (TerminalSession) async throws -> Void
  ) async throws -> TerminationStatus {
    try await Command.makeCourse(course)
    return try await TerminalSession.run(
      "exercise watch 1 --folder '\(folder.path)' \(options)", environment: environment
    ) { terminal in
      try await terminal.read(until: Self.failing)
      try await terminal.read(until: Self.keys)
      try await body(terminal)
      try await terminal.press("q")
    }
  }

  private func solution() throws -> Data {
    try Data(contentsOf: home.appendingPathComponent("course/lesson-01-one/exercise/Solution.swift"))
  }

  @Test(arguments: ["", "--poll"]) func `what is saved is checked, also when it is saved twice`(
    _ options: String
  ) async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let status = try await watch(options) { terminal in
      try Data("import SessionAPI\nlet".utf8).write(to: file)
      try solution().write(to: file)
      let first = try await terminal.read(until: Self.passed)
      #expect(first.contains("\u{1B}[H\u{1B}[2Jcheck 2 · "), "each check begins on an empty screen")
      #expect(first.components(separatedBy: "does not compile").count <= 2, "the last save is the one that counts")
      let rest = try await terminal.read(until: "Save the file to check it.\n")
      #expect(rest.contains("Since the last check: now holds "), "\(rest)")
      #expect(
        rest.contains("Well done! Press n for the next exercise: lesson-02 The name in the document.\n"), "\(rest)")
      #expect(rest.contains("Solution and explanation: workbench exercise solution 1 "), "\(rest)")
      try await terminal.read(until: Self.keys)
    }
    #expect(status == .exited(0))
    #expect(
      try String(contentsOf: folder.appendingPathComponent(".workbench"), encoding: .utf8).contains("lesson-01 passed"))
  }

  @Test func `an editor that moves a new file into place is noticed, and so is a removal`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let status = try await watch { terminal in
      try FileManager.default.removeItem(at: file)
      try await terminal.read(until: "Exercise.swift is gone. Save it again, or press x")
      try solution().write(to: file, options: .atomic)
      try await terminal.read(until: Self.passed)
      try FileManager.default.removeItem(at: file.deletingLastPathComponent())
      try await terminal.read(until: "Exercise.swift is gone.")
      try await terminal.press("x")
      try await terminal.read(until: Self.failing)
      try solution().write(to: file)
      try await terminal.read(until: Self.passed)
    }
    #expect(status == .exited(0))
  }

  @Test func `each key does what it says`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let status = try await watch { terminal in
      try await terminal.press("ph")
      try await terminal.read(until: "This is the first exercise.\n")
      try await terminal.read(until: "hint 1 of 2: ")
      try await terminal.press("h")
      try await terminal.read(until: "hint 2 of 2: ")
      try await terminal.press("l")
      try await terminal.read(until: "> lesson-01  failing  The name in the document\n")
      try await terminal.press("?")
      try await terminal.read(until: Self.keys)
      try await terminal.press("n")
      try await terminal.read(until: "/lesson-02-two/Exercise.swift\n")
      try await terminal.read(until: Self.keys)
      try await terminal.press("n")
      try await terminal.read(until: "This is the last exercise.\n")
      try await terminal.press("c")
      try await terminal.read(until: "0/2 passed\n")
      try await terminal.press("x")
      try await terminal.read(until: "lesson-02-two/Exercise.swift.1.\n")
    }
    #expect(status == .exited(0))
  }

  @Test func `a whole session in Chinese leads from the first exercise to the solution of the second`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try await Command.makeCourse(course)
    let (keys, failing) = ("n 下一个，p 上一个，h 提示，l 列表，c 全部检查，x 重置，q 退出\n", "还没有通过，0/10 分\n")
    let status = try await TerminalSession.run(
      "exercise watch --folder '\(folder.path)' --language zh-Hans", environment: environment
    ) { terminal in
      try await terminal.read(until: failing)
      try await terminal.read(until: keys)
      try solution().write(to: file)
      try await terminal.read(until: "通过，10/10 分\n")
      try await terminal.press("n")
      try await terminal.read(until: "/lesson-02-two/Exercise.swift\n")
      try await terminal.read(until: failing)
      try await terminal.press("h")
      try await terminal.read(until: "提示 1（共 2 条）：")
      try await terminal.press("x")
      try await terminal.read(until: "你的程序保存在 ")
      try await terminal.press("n")
      try await terminal.read(until: "这是最后一个练习。\n")
      try solution().write(to: folder.appendingPathComponent("lesson-02-two/Exercise.swift"))
      try await terminal.read(until: "通过，10/10 分\n")
      try await terminal.press("q")
    }
    #expect(status == .exited(0))
    let shown = try await Command.run(
      "exercise", "solution", "2", "--folder", folder.path, "--language", "zh-Hans", environment: environment)
    #expect(shown.status == .exited(0) && shown.output.hasSuffix("/lesson-02-two/explanation.md\n"))
  }

  @Test func `without a terminal it says what to do instead`() async throws {
    let result = try await Command.run("exercise", "watch", "1", "--folder", folder.path)
    #expect(result.status == .exited(64))
    #expect(result.errors.contains("so it needs a terminal. Without one: workbench exercise check"))
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `a terminal is left as it was, also by Ctrl-C`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try await Command.makeCourse(course)
    // The shell outlives the Ctrl-C that the terminal sends to both.
    let watch = "'\(Command.path.string)' exercise watch 1 --folder '\(folder.path)'"
    let command = "-c \"trap : INT; \(watch); echo status \\$?; stty -a\""
    try await TerminalSession.run(command, program: "sh", environment: environment) { terminal in
      try await terminal.read(until: Self.keys)
      try await terminal.press("\u{3}")
      try await terminal.read(until: "status 130\n")
      let modes = try await terminal.read(until: "echoctl")
      #expect(modes.contains(" icanon ") && modes.contains(" echo "), "\(modes)")
    }
  }

  /// Writes a compiler that no request ends, for it leaves the group of processes that the workbench made for it. It says
  /// when it runs, and, when a process that it left in that group was ended, that it was asked to end. It ends with the
  /// terminal.
  private func writeDeafCompiler(to folder: URL) throws {
    let script = """
      #!/usr/bin/env perl
      ($SIG{INT}, $SIG{HUP}) = ('IGNORE', 'DEFAULT');
      open(my $terminal, '>', '/dev/tty') or die;
      $terminal->autoflush(1);
      my $asked = fork() // die;
      if (!$asked) { sleep(); exit; }
      setpgrp(0, getpgrp(getppid())) or die;
      print $terminal "compiling\\n";
      waitpid($asked, 0);
      print $terminal "asked to end\\n";
      sleep() while 1;

      """
    let compiler = folder.appendingPathComponent("swiftc")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(script.utf8).write(to: compiler)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: compiler.path)
  }

  @Test func `a second Ctrl-C does not wait for the check to end, and leaves the terminal as it was`() async throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try await Command.makeCourse(course)
    let tools = home.appendingPathComponent("tools")
    try writeDeafCompiler(to: tools)
    let path = tools.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    let watch = "'\(Command.path.string)' exercise watch 1 --folder '\(folder.path)'"
    let command = "-c \"trap : INT; \(watch); echo status \\$?; stty -a\""
    try await TerminalSession.run(
      command, program: "sh", environment: environment.merging(["PATH": path]) { $1 }
    ) { terminal in
      try await terminal.read(until: "compiling\n")
      try await terminal.press("\u{3}")
      let first = try await terminal.read(until: "asked to end\n")
      try await terminal.press("\u{3}")
      let second = try await terminal.read(until: "status 130\n")
      #expect(!(first + second).contains("points"), "no check came to its end")
      let modes = try await terminal.read(until: "echoctl")
      #expect(modes.contains(" icanon ") && modes.contains(" echo "), "\(modes)")
    }
  }
}
