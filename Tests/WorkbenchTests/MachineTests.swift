// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// Machines that lack something.
@Suite(.timeLimit(.minutes(1))) struct MachineTests {
  @Test(arguments: ["list", "doctor", "run 5", "--version"])
  func `without /proc every command ends with 3 and says what is missing`(_ command: String) async throws {
    // An empty folder over that of the test's own mounts stands for a machine without it.
    let line = "mount -t tmpfs none /proc || exit 99; exec '\(Command.path.string)' \(command)"
    let result = try await Subprocess.run(
      .name("unshare"), arguments: ["--user", "--map-root-user", "--mount", "sh", "-c", line],
      environment: Command.environment(), output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
    // Not every machine lets a test make one.
    guard result.terminationStatus != .exited(99), !result.standardError.contains("unshare") else { return }
    #expect(result.terminationStatus == .exited(3), "\(result.standardOutput)")
    #expect(result.standardOutput.isEmpty)
    #expect(
      result.standardError == """
        workbench: /proc cannot be read: the arguments of a process, its memory and its threads stand there. Mount it, with \
        “mount -t proc proc /proc”, or start the container or chroot with it.

        """)
  }

  /// The doctor's line about authorities, and the one behind it.
  private func authorities(_ file: String) async throws -> String {
    let result = try await Command.run("doctor", environment: ["SSL_CERT_FILE": file])
    #expect(result.status == .exited(0), "the lessons do without them: \(result.output)")
    let lines = result.output.components(separatedBy: "\n")
    let index = try #require(lines.firstIndex { $0.contains("trusted authorities: ") })
    return lines[index...(index + 1)].joined(separator: "\n")
  }

  @Test func `the doctor counts the authorities that the transport trusts`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("authorities-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let certificate = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"
    try Data((certificate + certificate).utf8).write(to: URL(fileURLWithPath: file))
    #expect(try await authorities(file).hasPrefix("✓ trusted authorities: found 2 certificates in \(file)\n"))
  }

  @Test func `the doctor finds that no authority is trusted`() async throws {
    #expect(
      try await authorities("/nowhere") == """
        ! trusted authorities: no certificate in /nowhere, so that no public server is trusted
          mend it with: unset SSL_CERT_FILE
        """)
  }
}
