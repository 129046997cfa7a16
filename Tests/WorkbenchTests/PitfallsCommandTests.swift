// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct PitfallsCommandTests {
  @Test(arguments: [
    ("en", "never-resumed           wrong   lesson 1\n  A task was made and never resumed: it loaded nothing"),
    ("zh-Hans", "never-resumed           错误    第 1 课\n  任务创建后从未 resume：什么也没有加载"),
  ])
  func `the list says of each pitfall what goes wrong`(_ language: String, _ start: String) async throws {
    let list = try await Command.run(["pitfalls", "--language", language])
    #expect(list.output.hasPrefix(start), "\(list.output.prefix(200))")
    let lines = list.output.split(separator: "\n")
    #expect(lines.count { !$0.hasPrefix("  ") } > 25)
    #expect(zip(lines, lines.dropFirst() + [""]).allSatisfy { $0.hasPrefix("  ") || $1.hasPrefix("  ") })
  }

  @Test(arguments: ["en", "zh-Hans"])
  func `a pitfall is explained with the pieces that have it and that mend it`(_ language: String) async throws {
    let said = try await Command.run(["pitfalls", "session-kept", "--language", language])
    #expect(said.output.contains("session/forgotten"))
    #expect(said.output.contains("✗") && said.output.contains("✓"))
    #expect(said.output.contains("session.finishTasksAndInvalidate()"))
  }
}
