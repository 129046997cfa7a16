// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Reports
import Subprocess
import Testing

@Suite(.timeLimit(.minutes(2))) struct CommandLineTests {
  @Test(arguments: ["list", "show", "run", "diff", "claims", "server", "doctor"])
  func `every command's help has an example`(_ command: String) async throws {
    let result = try await Command.run(command, "--help")
    #expect(result.status == .exited(0))
    #expect(result.output.contains("  workbench \(command)"))
  }

  @Test func `an unknown lesson is a usage error that names the closest`() async throws {
    let result = try await Command.run("run", "delegat-progres")
    #expect(result.status == .exited(64))
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("workbench: There is no lesson “delegat-progres”."))
    #expect(result.errors.contains("workbench list"))
  }

  @Test(arguments: [
    ["run"], ["run", "5", "--all"], ["run", "5", "--size", "many"], ["run", "5", "--timeout", "0"],
    ["run", "5", "--repeat", "0"], ["run", "5", "--side", "middle"], ["nothing"], ["show", "5", "--side", "session"],
  ])
  func `a wrong command line ends with 64 and a sentence`(_ arguments: [String]) async throws {
    let result = try await Command.run(arguments)
    #expect(result.status == .exited(64))
    #expect(!result.errors.isEmpty)
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

  @Test func `claims lists all 107, as JSON too`() async throws {
    let result = try await Command.run("claims", "--json")
    let rows = try JSONDecoder().decode([ClaimList.Row].self, from: Data(result.output.utf8))
    #expect(rows.count == 107)
    #expect(try await Command.run("claims").output.contains("107 claims"))
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
