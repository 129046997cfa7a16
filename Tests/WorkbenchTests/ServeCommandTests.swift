// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// `serve` as a process: what it tells other programs, and what it listens on.
@Suite(.timeLimit(.minutes(2))) struct ServeCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("serve-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Writes a program that hands its arguments and what they name over a pipe, and answers the pipe's path.
  private func standIn(named name: String) throws -> String {
    let pipe = folder.appendingPathComponent("said").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let script = """
      #!/bin/sh
      { printf '%s\\n' "$@"; stat -c '%a %n' "$1" "${1%/*}"; cat "$1"; } >'\(pipe)'
      """
    let file = folder.appendingPathComponent(name)
    try Data(script.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
    return pipe
  }

  /// All that comes through a pipe; nothing where no writer comes.
  private static func read(_ pipe: String) async throws -> Data {
    try await onThread {
      let descriptor = open(pipe, O_RDONLY | O_NONBLOCK)
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      guard isReadable(descriptor, within: TestMachine.patience) else { return Data() }
      _ = fcntl(descriptor, F_SETFL, 0)
      return try file.readToEnd() ?? Data()
    }
  }

  @Test func `the browser's opener gets a private file, and its arguments no token`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = try standIn(named: "xdg-open")
    var file = ""
    let path = folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    let status = try await Command.start(
      "serve", "--open", environment: ["PATH": path], workingDirectory: FilePath(folder.path)
    ) { pid, line in
      defer { kill(pid, SIGINT) }
      let address = try #require(URL(string: line))
      let said = String(decoding: try await Self.read(pipe), as: UTF8.self).split(separator: "\n").map(String.init)
      try #require(said.count > 3)
      file = said[0]
      #expect(file.hasPrefix(folder.path) && file.hasSuffix(".html"))
      #expect(said[1] == "600 \(file)")
      #expect(said[2].hasPrefix("700 "))
      let token = try #require(address.query?.split(separator: "=").last)
      #expect(!said[0...2].contains { $0.contains(token) })
      #expect(said.contains { $0.contains("content=\"0;url=\(address.absoluteString)\"") })
    }
    #expect(status == .exited(130))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["said", "xdg-open"])
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `--port 0 leaves the port to the system, and a port in use gets a sentence and status 3`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let status = try await Command.start("serve", "--port", "0", workingDirectory: FilePath(folder.path)) { pid, line in
      defer { kill(pid, SIGINT) }
      let port = try #require(URL(string: line)?.port)
      #expect(port > 0)
      #expect(line.hasPrefix("http://127.0.0.1:\(port)/?token="))
      let second = try await Command.run("serve", "--port", "\(port)")
      #expect(second.status == .exited(3))
      #expect(second.output == "")
      #expect(
        second.errors
          == "workbench: Port \(port) is taken by another program. Leave --port away, or name another port.\n")
      let chinese = try await Command.run("serve", "--port", "\(port)", "--language", "zh-Hans")
      #expect(chinese.status == .exited(3))
      #expect(chinese.errors.contains("\(port)") && !chinese.errors.contains("taken"))
    }
    #expect(status == .exited(130))
  }

  @Test(arguments: ["65536", "-1", "http"]) func `what is no port is refused with the range`(_ port: String)
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try await Command.run("serve", "--port=\(port)")
    #expect(result.status == .exited(64))
    #expect(result.errors.contains("Give a port from 1 to 65535, or 0 for one that the system chooses."))
  }
}
