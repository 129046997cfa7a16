// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `grade` with submissions that mean harm: each gives a result, and nothing of it stays. `Scripts/grader/hostile` runs
/// the same programs in large numbers.
@Suite(.timeLimit(.minutes(5))) struct HostileTests {
  private static let programs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../Hostile").standardizedFileURL
  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: programs.path)) ?? []).sorted()
  /// A right that the machine does not give is a warning, and then there is less to prove.
  private static let needIsolation: Set = [
    "Network.swift", "Spy.swift", "Everywhere.swift", "Signals.swift", "Neighbour.swift", "Settings.swift",
  ]

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hostile-\(UUID())")
  private var temporary: URL { folder.appendingPathComponent("temporary") }

  private func submit(_ bytes: Data) throws {
    let lesson = folder.appendingPathComponent("submission/lesson-04-memory-peak")
    for each in [lesson, temporary, folder.appendingPathComponent("home")] {
      try FileManager.default.createDirectory(at: each, withIntermediateDirectories: true)
    }
    try bytes.write(to: lesson.appendingPathComponent("Exercise.swift"))
    try Data("secret".utf8).write(to: folder.appendingPathComponent("home/workbench-secret"))
  }

  /// The one exercise of the report.
  private func grade(_ timeout: String) async throws -> (exercise: [String: Any], warnings: String) {
    let result = try await Command.run(
      ["grade", folder.appendingPathComponent("submission").path, "--lesson", "4", "--timeout", timeout],
      environment: Command.cache.merging([
        "HOME": folder.appendingPathComponent("home").path, "TMPDIR": temporary.path, "WORKBENCH_SECRET": "secret",
      ]) { $1 })
    #expect(result.status == .exited(0), "\(result.errors)")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    return (try #require((report["exercises"] as? [[String: Any]])?.first), result.errors)
  }

  /// Processes whose command names this test's folder.
  private func processes() -> [String] {
    let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { Int($0) != nil }
    return numbers.filter { number in
      let command = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(number)/cmdline"))) ?? Data()
      return command.range(of: Data(temporary.path.utf8)) != nil
    }
  }

  private func expectNothingLeft() async throws {
    // The grader has killed them; the kernel may need a moment. It announces the end of a process to its parent alone,
    // which this test is not, so the test looks into the table of processes.
    let patience = ContinuousClock.now + .seconds(20)
    while !processes().isEmpty, ContinuousClock.now < patience { try await Task.sleep(for: .milliseconds(20)) }
    #expect(processes().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("home").path)
        == ["workbench-secret"])
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).count == 6)
  }

  @Test func `the programs are there`() { #expect(Self.names.count >= 12) }

  @Test(arguments: names) func `a hostile program is a result, and nothing of it stays`(_ name: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = try String(contentsOf: Self.programs.appendingPathComponent(name), encoding: .utf8)
    try submit(Data(source.utf8))
    let wanted = try #require(source.split(separator: "\n").first { $0.hasPrefix("// Outcome: ") }).dropFirst(12)
    let (exercise, warnings) = try await grade(wanted == "hung" ? "2s" : "20s")
    #expect(exercise["score"] as? Int == 0)
    if warnings.isEmpty || !Self.needIsolation.contains(name) {
      let found = try #require(exercise["outcome"] as? String)
      #expect(wanted == "any" ? found != "passed" : found == wanted, "\(found): \(exercise["why"] ?? "")")
    }
    try await expectNothingLeft()
  }

  @Test func `a hostile program reaches no terminal, neither isolated nor with the limits alone`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try submit(Data(contentsOf: Self.programs.appendingPathComponent("Terminal.swift")))
    let student = folder.appendingPathComponent("submission").path
    for (command, end) in [
      ("grade '\(student)' --lesson 4 --format text", "lesson-04: failed, 0/10"),
      ("exercise check 4 --folder '\(student)'", "not passed yet, 0 of 10 points"),
    ] {
      let shown = try await Command.onTerminal(command, environment: Command.cache).output
      #expect(shown.contains(end) && !shown.contains("by a submission"), "\(shown)")
    }
  }

  @Test(arguments: [
    ([0xFF, 0xFE, 0x0A], "is not UTF-8"), ([UInt8](repeating: 0x20, count: 10 << 20), "has 10485760 bytes"),
    ([UInt8](repeating: 0, count: 100), "imports neither"),
  ])
  func `a file that is no program is a result`(_ bytes: [UInt8], _ why: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try submit(Data(bytes))
    let exercise = try await grade("20s").exercise
    #expect(exercise["outcome"] as? String == "notCompiled" && exercise["score"] as? Int == 0)
    let words = "\(exercise["why"] ?? "") \(exercise["compiler"] ?? "")"
    #expect(words.contains(why), "\(words)")
    try await expectNothingLeft()
  }

  @Test func `a link to another student's file, and a pipe, are no submission`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try submit(Data())
    let file = folder.appendingPathComponent("submission/lesson-04-memory-peak/Exercise.swift")
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createSymbolicLink(
      at: file, withDestinationURL: Self.programs.appendingPathComponent("Exit.swift"))
    let exercise = try await grade("20s").exercise
    #expect(exercise["outcome"] as? String == "undecided" && exercise["score"] as? Int == 0)
    try FileManager.default.removeItem(at: file)
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(try await grade("20s").exercise["score"] as? Int == 0)
    try await expectNothingLeft()
  }
}
