// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage

/// A package of stand-ins around `Scripts/workbench`: its `swift build` only notes that it was called, and makes an
/// executable that prints a line. The file `version` has what its compiler calls itself, `libraries` what its ldd(1) prints.
struct StandInPackage: Sendable {
  /// What the script does one after the other.
  enum Step: String, CaseIterable, Sendable {
    case setup, build, prepare
  }

  private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts")

  let root: String

  /// Makes it. The first time that `held` runs it says so, see `waitUntilHeld`, and then waits for an interrupt.
  init(holding held: Step? = nil) throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("package-\(UUID())").path
    for folder in ["Scripts", "Sources", "Lessons", "bin"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    for script in ["workbench", "package"] {
      try FileManager.default.copyItem(
        atPath: Self.scripts.appendingPathComponent(script).path, toPath: "\(root)/Scripts/\(script)")
    }
    guard mkfifo("\(root)/fifo", 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    // Like the workbench itself it ends with 130, and not by the signal.
    let hold = """
      if mkdir '\(root)/held' 2>/dev/null; then
        trap 'exit 130' INT
        echo here > '\(root)/fifo'
        while :; do sleep 1; done
      fi
      """
    let (setup, build, prepare) = (
      held == .setup ? hold : "", held == .build ? hold : "", held == .prepare ? hold : ""
    )
    try write("#!/bin/sh\n\(setup)\n", to: "Scripts/setup")
    try write("", to: "Package.swift")
    try write("6.3", to: "version")
    try write("", to: "libraries")
    try write("#!/bin/sh\ncat '\(root)/libraries'\n", to: "bin/ldd")
    try write("#!/bin/sh\nif [ \"$1\" = _prepare ]; then\n:\n\(prepare)\nelse echo ran; fi\n", to: "bin/workbench")
    try write(
      """
      #!/bin/sh
      if [ "$1" = --version ]; then echo "Swift version $(cat '\(root)/version') (swift-RELEASE)"; exit; fi
      # A build makes several products, and begins with the workbench.
      case " $* " in *' workbench '*) echo built >> '\(root)/builds' ;; esac
      \(build)
      case " $* " in *' --scratch-path '*) folder='\(root)/.build-shared/debug' ;; *) folder='\(root)/.build/debug' ;; esac
      mkdir -p "$folder"
      cp '\(root)/bin/workbench' "$folder/workbench"
      [ -e '\(root)/Package.resolved' ] || echo resolved > '\(root)/Package.resolved'
      """, to: "bin/swift")
  }

  func remove() { try? FileManager.default.removeItem(atPath: root) }

  /// Writes an executable file.
  func write(_ text: String, to name: String) throws {
    let path = "\(root)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// The arguments of env(1) that start the script. Who runs the tests in the background ignores interrupts, and a shell
  /// cannot catch what was ignored when it began.
  var arguments: [String] { ["--default-signal=INT", "--default-signal=HUP", "\(root)/Scripts/workbench"] }
  /// The search path that begins with the stand-ins.
  var searchPath: String { "\(root)/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") }

  /// How many builds there have been.
  func builds() throws -> Int {
    try String(contentsOfFile: "\(root)/builds", encoding: .utf8).split(separator: "\n").count
  }

  /// Calls the script and answers how it ended and what it printed.
  func call(_ further: [String], environment: [Environment.Key: String?] = [:]) async throws -> Command.Result {
    let environment = Command.environment(environment.merging(["PATH": searchPath]) { $1 })
    let result = try await Subprocess.run(
      .name("env"), arguments: Arguments(arguments + further), environment: environment,
      output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
    return Command.Result(
      status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
  }

  /// Waits until the step that is to be held runs.
  func waitUntilHeld() async {
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        _ = try? FileHandle(forReadingAtPath: "\(root)/fifo")?.readToEnd()
        done.resume()
      }
    }
  }
}
