// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `Scripts/workbench` in a package of stand-ins: its `swift build` only notes that it was called.
@Suite(.timeLimit(.minutes(1))) struct ScriptTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts/workbench")

  private func inPackage(_ body: (String) async throws -> Void) async throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("package-\(UUID())").path
    for folder in ["Scripts", "Sources", "Lessons", "bin"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.copyItem(atPath: Self.script.path, toPath: "\(root)/Scripts/workbench")
    try write("#!/bin/sh\n", to: "\(root)/Scripts/setup")
    try write("", to: "\(root)/Package.swift")
    try write(
      """
      #!/bin/sh
      echo built >> '\(root)/builds'
      mkdir -p '\(root)/.build/release'
      printf '#!/bin/sh\\necho ran\\n' > '\(root)/.build/release/workbench'
      chmod +x '\(root)/.build/release/workbench'
      [ -e '\(root)/Package.resolved' ] || echo resolved > '\(root)/Package.resolved'
      """, to: "\(root)/bin/swift")
    try await body(root)
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Calls the script and answers how many builds there have been.
  private func call(_ root: String) async throws -> Int {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let result = try await Subprocess.run(
      .path(FilePath("\(root)/Scripts/workbench")), environment: .inherit.updating(["PATH": "\(root)/bin:\(path)"]),
      output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
    #expect(result.terminationStatus == .exited(0), "\(result.standardError)")
    #expect(result.standardOutput == "ran\n")
    return try String(contentsOfFile: "\(root)/builds", encoding: .utf8).split(separator: "\n").count
  }

  @Test func `only the first call builds, though that build resolves the dependencies`() async throws {
    try await inPackage { root in
      let builds = [try await call(root), try await call(root)]
      #expect(builds == [1, 1])
    }
  }

  @Test func `other dependencies and a newer source are built`() async throws {
    try await inPackage { root in
      _ = try await call(root)
      try write("others", to: "\(root)/Package.resolved")
      #expect(try await call(root) == 2)
      #expect(try await call(root) == 2)
      try write("", to: "\(root)/Sources/new.swift")
      #expect(try await call(root) == 3)
    }
  }
}
