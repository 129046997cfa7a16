// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Subprocess
import Testing

/// `eject`, as a person would use it.
@Suite(.timeLimit(.minutes(2))) struct EjectTests {
  @Test func `an example becomes a package, and what to do next is said`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("eject-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let result = try await Command.run("eject", "4", "--example", "session/download", "--into", folder)
    #expect(result.status == .exited(0), "\(result.errors)")
    let files =
      ["Package.swift"] + ["DownloadToFile", "ExampleContext", "main"].map { "Sources/session-download/\($0).swift" }
    #expect(result.output == files.map { "\(folder)/\($0)\n" }.joined())
    #expect(result.errors.contains("Scripts/workbench server --port 8080"))
    #expect(result.errors.contains("cd \(folder)\n  swift run session-download"))
    let again = try await Command.run("eject", "4", "--into", folder)
    #expect(again.status == .exited(64))
    #expect(
      again.errors
        == "workbench: “\(folder)” is there already, and nothing is written over it. Choose another: --into FOLDER\n")
  }

  @Test func `what to do next, and what went wrong, is said in the reader's language`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("eject-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let arguments = ["eject", "4", "--example", "session/download", "--into", folder, "--language", "zh-Hans"]
    let result = try await Command.run(arguments)
    #expect(result.errors.contains("在另一个终端里启动课程服务器"), "\(result.errors)")
    let again = try await Command.run(arguments)
    #expect(again.errors.hasPrefix("workbench: “\(folder)”已经存在"), "\(again.errors)")
  }

  @Test func `an unknown lesson or example is a usage error`() async throws {
    #expect(try await Command.run("eject", "99").status == .exited(64))
    let example = try await Command.run("eject", "4", "--example", "downlod")
    #expect(example.status == .exited(64))
    #expect(example.errors.contains("session/download"))
  }

  @Test func `the server speaks TLS and says how a client trusts it`() async throws {
    _ = try await Command.start("server", "--certificate", "trusted") { pid, line in
      let url = try #require(URL(string: line))
      #expect(url.scheme == "https")
      let authority = FileManager.default.temporaryDirectory
        .appendingPathComponent("workbench-authority-\(try #require(url.port)).pem").path
      #expect(try String(contentsOfFile: authority, encoding: .utf8).hasPrefix("-----BEGIN CERTIFICATE-----"))
      kill(pid, SIGINT)
    }
  }
}
