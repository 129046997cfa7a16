// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Subprocess
import SystemPackage
import Testing

/// `Scripts/workbench` in a package of stand-ins.
@Suite(.timeLimit(.minutes(1))) struct ScriptTests {
  /// Calls the script and answers how many builds there have been.
  private func call(_ package: StandInPackage, _ arguments: String...) async throws -> Int {
    let result = try await package.call(arguments)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output == "ran\n")
    return try package.builds()
  }

  @Test func `only the first call builds, though that build resolves the dependencies`() async throws {
    let package = try StandInPackage()
    defer { package.remove() }
    let builds = [try await call(package), try await call(package)]
    #expect(builds == [1, 1])
  }

  @Test func `a debug build is one of its own, and leaves the other as it is`() async throws {
    let package = try StandInPackage()
    defer { package.remove() }
    let builds = [
      try await call(package), try await call(package, "--debug"), try await call(package, "--debug"),
      try await call(package),
    ]
    #expect(builds == [1, 2, 2, 2])
    #expect(FileManager.default.fileExists(atPath: package.root + "/.build/debug/workbench"))
  }

  @Test func `other dependencies and a newer source are built`() async throws {
    let package = try StandInPackage()
    defer { package.remove() }
    _ = try await call(package)
    try package.write("others", to: "Package.resolved")
    #expect(try await call(package) == 2)
    #expect(try await call(package) == 2)
    try package.write("", to: "Sources/new.swift")
    #expect(try await call(package) == 3)
  }

  @Test func `a build whose library went is made anew, and the reader learns why`() async throws {
    let package = try StandInPackage()
    defer { package.remove() }
    let library = package.root + "/libold.so.6"
    try package.write("", to: "libold.so.6")
    try package.write("\tlibold.so.6 => \(library) (0x00007f0000000000)\n", to: "libraries")
    let before = [try await call(package), try await call(package)]
    try FileManager.default.removeItem(atPath: library)
    try package.write("\tlibold.so.6 => not found\n", to: "libraries")
    try package.write("", to: ".build-shared/debug/of-the-old-build")
    let result = try await package.call([])
    let builds = [before[0], before[1], try package.builds(), try await call(package)]
    #expect(builds == [1, 1, 2, 2])
    #expect(
      result.errors == """
        workbench: the build is made anew, which takes some minutes: it needs libold.so.6, which this system does not have \
        any more.

        """)
    #expect(result.output == "ran\n")
    #expect(!FileManager.default.fileExists(atPath: package.root + "/.build-shared/debug/of-the-old-build"))
  }

  @Test func `a library that lies elsewhere now does not make the build anew`() async throws {
    let package = try StandInPackage()
    defer { package.remove() }
    let line = "\tlibmoved.so.6 => \(package.root)/nowhere/libmoved.so.6 (0x00007f0000000000)\n"
    try package.write(line, to: "libraries")
    let builds = [try await call(package), try await call(package)]
    #expect(builds == [1, 1])
  }

  @Test func `another compiler makes the build anew, the same one at another place does not`() async throws {
    let package = try StandInPackage()
    defer { package.remove() }
    _ = try await call(package)
    let compiler = try String(contentsOfFile: package.root + "/bin/swift", encoding: .utf8)
    try package.write(compiler + "\n# at another place\n", to: "bin/swift")
    #expect(try await call(package) == 1)
    try package.write(compiler + "\n# at a third place\n", to: "bin/swift")
    try package.write("6.4", to: "version")
    let result = try await package.call([])
    #expect(
      result.errors == """
        workbench: the build is made anew, which takes some minutes: it is of Swift version 6.3, and the compiler is Swift \
        version 6.4 now.

        """)
    let builds = [try package.builds(), try await call(package)]
    #expect(builds == [2, 2])
  }

  @Test func `a locale that is not installed makes no noise, and reaches the executable`() async throws {
    let package = try StandInPackage()
    defer { package.remove() }
    try package.write("#!/bin/sh\necho \"${LC_ALL-unset}\"\n", to: "bin/workbench")
    _ = try await package.call([])
    let result = try await package.call([], environment: ["LC_ALL": "xx_YY.UTF-8"])
    #expect(result.output == "xx_YY.UTF-8\n")
    #expect(result.errors.isEmpty)
    #expect(try await package.call([], environment: ["LC_ALL": nil]).output == "unset\n")
  }

  /// After an interrupt the next call does what was left, and the one behind it builds nothing.
  private func expectFurtherCalls(_ package: StandInPackage, held: StandInPackage.Step) async throws {
    let builds = [try await call(package), try await call(package)]
    #expect(builds == (held == .setup ? [1, 1] : [2, 2]))
  }

  @Test(arguments: StandInPackage.Step.allCases)
  func `Ctrl-C ends the call with 130 at every step, and the next one trusts nothing half done`(
    _ step: StandInPackage.Step
  ) async throws {
    let package = try StandInPackage(holding: step)
    defer { package.remove() }
    let status = try await TerminalSession.run(
      package.arguments.joined(separator: " "), program: "env", environment: ["PATH": package.searchPath]
    ) { terminal in
      await package.waitUntilHeld()
      try await terminal.press("\u{3}")
      let before = try await terminal.read(until: "was interrupted; the next call goes on from there.")
      #expect(!before.contains("ran\n"))
    }
    #expect(status == .exited(130))
    try await expectFurtherCalls(package, held: step)
  }

  @Test(
    arguments: StandInPackage.Step.allCases, [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a signal to the script alone ends what it has started`(
    _ step: StandInPackage.Step, _ signal: (Int32, Int32)
  ) async throws {
    let package = try StandInPackage(holding: step)
    defer { package.remove() }
    let result = try await Subprocess.run(
      .name("env"), arguments: Arguments(package.arguments),
      environment: Command.environment(["PATH": package.searchPath]), input: .none,
      output: .sequence, error: .discarded
    ) { execution in
      await package.waitUntilHeld()
      kill(execution.processIdentifier.value, signal.0)
      var output = ""
      // The end of the output: nothing that the script has started holds it open any more.
      for try await line in execution.standardOutput.strings() { output += line }
      return output
    }
    #expect(result.terminationStatus == .exited(signal.1), "\(result.terminationStatus)")
    #expect(result.closureResult.isEmpty)
    try await expectFurtherCalls(package, held: step)
  }
}
