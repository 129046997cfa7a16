// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Measuring
import Pitfalls
import Testing

@Suite struct IgnoredPitfallsTests {
  private func read(_ text: String) throws -> IgnoredPitfalls {
    let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("ignored-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    return try IgnoredPitfalls(fileAt: file.path)
  }

  @Test func `names are read with their reasons, and no file ignores nothing`() throws {
    let ignored = try read("# ours\nnever-resumed: a task stands for others in a test\nend-unheard: \"pings\"\n")
    #expect(ignored.reasons == [.neverResumed: "a task stands for others in a test", .endUnheard: "pings"])
    #expect(try read("").reasons == [:])
    #expect(try IgnoredPitfalls(fileAt: "/nowhere").reasons == [:])
  }

  @Test(arguments: [
    ("# ours\nnever-resume: x\n", "line 2"), ("never-resumed:\n", "line 1"), ("never-resumed\n", "line 1"),
    ("a: [b\n", "no YAML"), ("end-unheard: ok\nnever-resumed: [1]\n", "line 2"),
  ])
  func `a line that cannot be read is named`(_ text: String, _ part: String) throws {
    let error = #expect(throws: LessonKitError.self) { try read(text) }
    #expect(error?.description.contains(part) == true, "\(String(describing: error))")
  }

  @Test func `what is ignored fails no build and is told with its reason`() async throws {
    let command = "cd $(mktemp -d); echo 'never-resumed: on purpose' >.workbench-pitfalls; "
    let failing = try await Measured.alone("\"$WORKBENCH\" measure --fail-on pitfall -- \"$P\" forget 1; echo $?")
    #expect(failing.output == "1\n")
    let ignored = try await Measured.alone(
      command + "\"$WORKBENCH\" measure --fail-on pitfall -- \"$P\" forget 1; echo $?")
    #expect(ignored.output == "0\n")
    #expect(ignored.errors.contains("Ignored: never-resumed (wrong), on purpose"))
  }
}
