// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import Testing

/// The files that `run` and `diff` write, as a person meets them.
@Suite struct OutputFileTests {
  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test func `a run writes the four pictures it was asked for, and leaves nothing else`() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = ["page.html", "trace.json", "requests.har", "claims.xml"]
    let paths = names.map { folder.appendingPathComponent($0).path }
    let result = try await Command.run(
      "run", "1", "--size", "64KiB", "--example", "connection/head", "--html", paths[0], "--trace", paths[1], "--har",
      paths[2], "--junit", paths[3])
    for path in paths { #expect(result.errors.contains("workbench: written: \(path)\n")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names.sorted())
    let page = try String(contentsOfFile: paths[0], encoding: .utf8)
    #expect(page.contains("workbench 0.") && page.contains("S = 64"))
  }

  @Test func `a file that cannot be written is refused before anything runs`() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let missing = folder.appendingPathComponent("no/page.html").path
    let refused = try await Command.run("run", "1", "--html", missing)
    #expect(refused.status == .exited(64))
    #expect(refused.output == "")
    #expect(
      refused.errors
        == "workbench: “\(missing)” cannot be written: its folder is missing or takes no new file.\n")
    for path in [folder.path, "/dev/stdout"] {
      let result = try await Command.run("run", "1", "--trace", path)
      #expect(result.status == .exited(64))
      #expect(result.errors == "workbench: “\(path)” is no plain file: name one that may be written or replaced.\n")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `two pictures need two files`() async throws {
    let result = try await Command.run("run", "1", "--html", "same", "--har", "same")
    #expect(result.status == .exited(64))
    #expect(result.errors.contains("Name a file of its own for each picture."))
  }

  @Test func `diff writes a page of two runs`() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("ReportsTests/Golden/lesson-05.json").path
    let path = folder.appendingPathComponent("diff.html").path
    let result = try await Command.run("diff", golden, golden, "--html", path)
    #expect(result.status == .exited(0))
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("Two runs compared"))
  }

  private static let report = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("ReportsTests/Golden/lesson-05.json")

  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "1e308", "-1e308", "18446744073709551615"])
  func `a file's extreme numbers end no command`(_ number: String) async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = try String(contentsOf: Self.report, encoding: .utf8)
    for key in ["bytes", "seconds", "baseline", "peak", "growth", "count", "wall", "first", "last", "began", "ended"] {
      let extreme = text.replacing(try Regex("\"\(key)\" : [-0-9.e+]+"), with: "\"\(key)\" : \(number)")
      guard extreme != text else { continue }
      let file = folder.appendingPathComponent("extreme.json")
      try Data(extreme.utf8).write(to: file)
      let page = folder.appendingPathComponent("page.html").path
      for arguments in [["diff", file.path, Self.report.path, "--html", page], ["diff", Self.report.path, file.path]] {
        let result = try await Command.run(arguments)
        #expect([.exited(0), .exited(1), .exited(64)].contains(result.status), "\(key): \(result.errors)")
      }
    }
  }

  @Test func `a file's text commands no terminal`() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = try String(contentsOf: Self.report, encoding: .utf8)
    let file = folder.appendingPathComponent("commands.json")
    let commands = text.replacing("\"text\" : \"", with: "\"text\" : \"\\u001b[2J\u{9B}5n")
      .replacing("\"title\" : \"", with: "\"title\" : \"\\u001b]0;title\\u0007")
    try Data(commands.utf8).write(to: file)
    let result = try await Command.run(["diff", file.path, Self.report.path])
    let printed = result.output + result.errors
    let command = printed.unicodeScalars.first { $0.value < 0x20 && $0 != "\n" && $0 != "\t" || $0 == "\u{9B}" }
    #expect(command == nil, "\(printed)")
  }
}
