// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Lessons
import Reports
import Subprocess
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(2))) struct CommandLineTests {
  @Test(arguments: [
    "list", "show", "run", "eject", "diff", "claims", "serve", "server", "doctor", "grade", "behaviour",
    "exercise list",
    "exercise start", "exercise check", "exercise watch", "exercise run", "exercise hint", "exercise solution",
    "exercise reset", "exercise new", "exercise verify",
  ])
  func `every command's help has an example`(_ command: String) async throws {
    let result = try await Command.run(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(result.status == .exited(0))
    #expect(result.output.contains("  workbench \(command)"))
  }

  @Test func `an option that does not exist is named, also with a value beside --all`() async throws {
    for command in [["run"], ["exercise", "start"]] {
      let unknown = try await Command.run(command + ["--all", "--widht", "100"])
      #expect(unknown.status == .exited(64) && unknown.errors.contains("Unknown option '--widht'"), "\(unknown.errors)")
      let both = try await Command.run(command + ["--all", "4"])
      #expect(both.status == .exited(64) && both.errors.contains("or give --all, not both."), "\(both.errors)")
    }
  }

  @Test func `an unknown lesson is a usage error that names the closest`() async throws {
    let result = try await Command.run("run", "delegation")
    #expect(result.status == .exited(64))
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("workbench: There is no lesson “delegation”."))
    #expect(result.errors.contains("workbench list"))
    let beyond = try await Command.run("show", "\(Course.catalog.lessons.count + 1)")
    #expect(
      beyond.status == .exited(64) && beyond.errors.contains("numbered 1 to \(Course.catalog.lessons.count)"),
      "\(beyond.errors)")
  }

  @Test func `a part of a name or a slip of the finger leads to the one lesson it may mean, and says so`() async throws
  {
    let part = try await Command.run("show", "delegat")
    #expect(
      part.status == .exited(0) && part.output.hasPrefix("Lesson 05: Delegate and progress\n"),
      "\(part.output.prefix(80))")
    #expect(part.errors == "workbench: “delegat” is taken for lesson-05 (delegate-progress).\n")
    let slip = try await Command.run("claims", "--lesson", "memory-paek")
    #expect(slip.errors == "workbench: “memory-paek” is taken for lesson-04 (memory-peak).\n")
    let several = try await Command.run("show", "run-loop")
    #expect(several.status == .exited(64) && several.output.isEmpty)
    #expect(
      several.errors
        == "workbench: “run-loop” may mean lesson-09 (run-loop-modes), lesson-11 (run-loop-fixes). Name one of them.\n"
    )
  }

  @Test(arguments: [
    ("glosary", "glossary", "Glossary\n"), ("cours", "course", "A plan of the course"),
    ("Gloss", "glossary", "Glossary"),
  ])
  func `a misspelt page of the course is found as a lesson is`(name: String, page: String, start: String) async throws {
    let found = try await Command.run("show", name)
    #expect(found.status == .exited(0) && found.output.hasPrefix(start), "\(found.output.prefix(80))")
    #expect(found.errors == "workbench: “\(name)” is taken for \(page).\n")
    let source = try await Command.run("show", name, "--source")
    #expect(source.status == .exited(64) && source.errors.contains("“\(name)” has none."), "\(source.errors)")
  }

  @Test(arguments: [
    (["lst"], "There is no command “lst”; did you mean “list”?"),
    (["rnu", "5"], "There is no command “rnu”; did you mean “run”?"),
    (["5"], "There is no command “5”; did you mean “show 5”, “run 5”?"),
    (["exercise", "chek", "4"], "There is no command “exercise chek”; did you mean “exercise check”?"),
    (["frobnicate"], "There is no command “frobnicate”. “workbench --help” shows all."),
  ])
  func `a command that is none is answered with the one that was meant`(arguments: [String], sentence: String)
    async throws
  {
    let result = try await Command.run(arguments)
    #expect(result.status == .exited(64) && result.errors == "workbench: \(sentence)\n", "\(result.errors)")
  }

  @Test(arguments: [
    ["run"], ["run", "5", "--all"], ["run", "5", "--size", "many"], ["run", "5", "--timeout", "0"],
    ["run", "5", "--repeat", "0"], ["run", "5", "--side", "middle"], ["nothing"], ["show", "5", "--side", "session"],
    ["show", "glossary", "--source"], ["run", "5", "--predict", "--json"], ["list", "--language", "fr"],
  ])
  func `a wrong command line ends with 64 and a sentence`(_ arguments: [String]) async throws {
    let result = try await Command.run(arguments)
    #expect(result.status == .exited(64))
    #expect(!result.errors.isEmpty)
  }

  @Test(arguments: [
    (["run", "5", "--size", "0"], "Give a size from 1 B to 1 TiB"),
    (["run", "5", "--timeout", "25h"], "Give a time from 100 ms to 24 h"),
    (["run", "5", "--repeat", "1001"], "Give a whole number from 1 to 1000."),
    (["server", "--port", "65536"], "Give a port from 1 to 65535"),
    (["run", "5", "--side", "middle"], "connection"), (["list", "--language", "fr"], "zh-Hans"),
  ])
  func `an invalid value is answered with the accepted ones`(arguments: [String], range: String) async throws {
    let result = try await Command.run(arguments)
    #expect(result.status == .exited(64))
    #expect(result.errors.contains(range), "\(result.errors)")
  }

  @Test func `a number beside a slip of the finger leads to its lesson first`() async throws {
    let result = try await Command.run("run", "lesson-5x")
    #expect(result.errors.contains("The closest are lesson-05 (delegate-progress), "), "\(result.errors)")
  }

  @Test(arguments: [40, 80, 120, 160], ["en", "zh-Hans"])
  func `the list has titles first, by parts, and fits the terminal`(width: Int, language: String) async throws {
    let result = try await Command.run("list", "--language", language, environment: ["COLUMNS": "\(width)"])
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func columns(_ line: String) -> Int { line.unicodeScalars.reduce(0) { $0 + ($1.value < 0x2E80 ? 1 : 2) } }
    let widest = lines.map(columns).max() ?? 0
    #expect(widest <= max(width, 78) && lines.filter { $0.hasPrefix("0") }.map(columns).max() ?? 0 <= width)
    let parts = lines.indices.filter { lines[$0].contains(language == "en" ? " part: " : "部分：") }
    #expect(parts.count == 3 && lines[parts[0] + 1].hasPrefix("01 ") && lines[parts[1] + 1].hasPrefix("09 "))
    let hasNames = lines.contains { $0.hasPrefix("05") && $0.contains("delegate-progress") }
    #expect(hasNames == (width >= (language == "en" ? 120 : 80)), "Chinese titles leave room for the names")
    #expect(lines.contains { $0.hasPrefix("26") && !$0.contains(" 0 ") })
  }

  @Test func `the version stands alone in a line`() async throws {
    #expect(try await Command.run("--version").output == "0.1.0\n")
  }

  @Test func `show and doctor print JSON`() async throws {
    func object(_ arguments: String...) async throws -> Any {
      try JSONSerialization.jsonObject(with: Data(try await Command.run(arguments + ["--json"]).output.utf8))
    }
    let text = try #require(try await object("show", "5", "--language", "zh-Hans") as? [String: Any])
    #expect(Set(text.keys) == ["id", "title", "language", "text"])
    #expect(text["id"] as? String == "lesson-05" && text["language"] as? String == "zh-Hans")
    let files = try #require(try await object("show", "5", "--source", "--side", "session") as? [[String: Any]])
    #expect(files.allSatisfy { $0["side"] as? String == "session" && $0["source"] is String })
    let findings = try #require(try await object("doctor") as? [[String: Any]])
    #expect(findings.contains { $0["subject"] as? String == "libcurl" })
    #expect(try await object("doctor", "--lessons") is [Any])
  }

  @Test(arguments: ["glossary", "course"])
  func `the course's own pages are shown in both languages`(page: String) async throws {
    let english = try await Command.run("show", page)
    let chinese = try await Command.run("show", page, "--language", "zh-Hans")
    #expect(english.status == .exited(0) && chinese.status == .exited(0))
    #expect(!english.output.isEmpty && english.output != chinese.output)
  }

  @Test func `diff of a run with itself shows nothing and ends with 0`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try await Command.run("run", "5", "--example", "connection/delegate-main", "--size", "1MiB", "--json")
    try Data(run.output.utf8).write(to: file)
    let result = try await Command.run("diff", file.path, file.path)
    #expect(result.status == .exited(0))
    #expect(result.output.hasSuffix("No difference beyond noise.\n"), "\(result.output)")
    let chinese = try await Command.run("diff", file.path, file.path, "--language", "zh-Hans")
    #expect(chinese.output.contains("没有超出波动范围的差别"))
  }

  @Test func `diff names a file that is no report`() async throws {
    let missing = try await Command.run("diff", "no-such-file.json", "b.json")
    #expect(missing.status == .exited(64))
    #expect(
      missing.errors
        == "workbench: The file “no-such-file.json” cannot be read. Is it there, and may you read it?\n")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
    let wrong = try await Command.run("diff", file, file)
    #expect(wrong.status == .exited(64))
    #expect(wrong.errors.hasPrefix("workbench: “\(file)” is no report of a run"))
  }

  @Test func `claims lists them all, as JSON too`() async throws {
    let result = try await Command.run("claims", "--json")
    let rows = try JSONDecoder().decode([ClaimList.Row].self, from: Data(result.output.utf8))
    #expect(rows.count == ClaimTable.rows.count && rows.count > 100)
    #expect(try await Command.run("claims").output.contains("\(ClaimTable.rows.count) claims"))
  }

  @Test func `colour needs a terminal or --color always`() async throws {
    #expect(try await !Command.run("claims", "--lesson", "5").output.contains("\u{1B}["))
    #expect(try await Command.run("claims", "--lesson", "5", "--color", "always").output.contains("\u{1B}["))
  }

  @Test func `the width follows COLUMNS when there is no terminal`() async throws {
    let narrow = try await Command.run("claims", environment: ["COLUMNS": "60"]).output
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 60 })
    let wide = try await Command.run("claims", environment: ["COLUMNS": "200"]).output
    #expect(wide.split(separator: "\n").contains { $0.count > 80 })
  }

  @Test func `the doctor finds nothing lacking on a machine that can run the tests`() async throws {
    let result = try await Command.run("doctor")
    #expect(result.status == .exited(0), "\(result.output)")
    #expect(result.output.contains("libcurl/"))
  }

  @Test func `the doctor says what stands around the programs that are graded`() async throws {
    let result = try await Command.run("doctor")
    let line = result.output.split(separator: "\n").first { $0.contains("isolation of grade: ") }
    let means = ["bubblewrap", "unshare", "none"]
    #expect(means.contains { line?.contains("grade: \($0)") == true }, "\(result.output)")
    let findings = try JSONSerialization.jsonObject(with: Data(try await Command.run("doctor", "--json").output.utf8))
    let isolation = (findings as? [[String: Any]])?.first { $0["subject"] as? String == "isolation of grade" }
    #expect(isolation?["isLacking"] as? Bool == false, "a weak one ends no command of a student's")
  }

  @Test func `the doctor looks at the machine's own loopback interface`() async throws {
    // Another network of the test's own stands for a machine; in it the interface is down.
    let machine = ["--user", "--map-root-user", "--net", Command.path.string, "doctor"]
    let result = try await Subprocess.run(
      .name("unshare"), arguments: Arguments(machine), environment: Command.environment(),
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    // Not every machine lets a test make one.
    guard result.standardOutput.contains("libcurl") else { return }
    #expect(result.terminationStatus == .exited(3))
    #expect(
      result.standardOutput.contains(
        "✗ lesson server: 127.0.0.1 cannot be reached: Network is unreachable\n  mend it with: ip link set lo up\n"),
      "\(result.standardOutput)")
  }

  @Test func `the doctor finds the lessons in order, and says how many there are`() async throws {
    let result = try await Command.run("doctor", "--lessons")
    #expect(result.status == .exited(0), "\(result.output)")
    #expect(result.output.hasSuffix(" in order\n"))
  }

  @Test func `the server says where it listens and ends on an interrupt with 130`() async throws {
    let status = try await Command.start("server") { pid, line in
      #expect(line.hasPrefix("http://127.0.0.1:"))
      kill(pid, SIGINT)
    }
    #expect(status == .exited(130))
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a request to end is told from an interrupt by the status`(signal: Int32, status: Int32) async throws {
    let ended = try await Command.start("server") { pid, _ in kill(pid, signal) }
    #expect(ended == .exited(status))
  }

  @Test func `a port in use is named, with status 3`() async throws {
    _ = try await Command.start("server") { pid, line in
      let port = try #require(URL(string: line)?.port)
      let result = try await Command.run("server", "--port", "\(port)")
      #expect(result.status == .exited(3))
      #expect(result.errors.contains("Port \(port) is already in use"))
      kill(pid, SIGINT)
    }
  }
}
