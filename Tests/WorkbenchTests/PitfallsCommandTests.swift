// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct PitfallsCommandTests {
  @Test(arguments: ["en", "zh-Hans"])
  func `a pitfall is explained with the pieces that have it and that mend it`(_ language: String) async throws {
    let said = try await Command.run(["pitfalls", "session-kept", "--language", language])
    #expect(said.output.contains("session/forgotten"))
    #expect(said.output.contains("✗") && said.output.contains("✓"))
    #expect(said.output.contains("session.finishTasksAndInvalidate()"))
  }
}
