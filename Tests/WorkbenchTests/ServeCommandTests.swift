// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `serve` as a process: what it tells other programs, and what it listens on.
@Suite(.timeLimit(.minutes(2))) struct ServeCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("serve-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Starts it in the folder, with the programs of the folder before all others, and ends it after `body` has seen the address.
  private func serve(
    _ arguments: String..., body: (pid_t, URL) async throws -> Void
  ) async throws -> TerminationStatus {
    let path = folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    return try await Subprocess.run(
      .path(Command.path), arguments: Arguments(["serve"] + arguments),
      environment: Command.environment(["PATH": path]), workingDirectory: FilePath(folder.path), input: .none,
      output: .sequence, error: .discarded
    ) { execution in
      let pid = execution.processIdentifier.value
      for try await line in execution.standardOutput.strings() {
        let address = try #require(URL(string: line.trimmingCharacters(in: .newlines)))
        try await body(pid, address)
        kill(pid, SIGINT)
      }
    }.terminationStatus
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

  @Test func `the browser's opener gets a private file, and its arguments no token`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = try standIn(named: "xdg-open")
    var file = ""
    let status = try await serve("--open") { _, address in
      let reading = Task.detached { FileHandle(forReadingAtPath: pipe)?.readDataToEndOfFile() ?? Data() }
      let bytes = await reading.value
      let said = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
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
}
