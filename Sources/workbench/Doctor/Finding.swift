// SPDX-License-Identifier: Apache-2.0

/// One thing that the workbench needs, and whether this machine has it.
struct Finding: Hashable {
  /// What is needed.
  var subject: String
  /// What was found.
  var state: String
  /// The command or sentence that mends the lack; nil when nothing lacks.
  var cure: String?

  /// Whether it lacks.
  var isLacking: Bool { cure != nil }

  /// One line, and a second one with the cure.
  var text: String {
    let head = "\(isLacking ? "✗" : "✓") \(subject): \(state)\n"
    return head + (cure.map { "  mend it with: \($0)\n" } ?? "")
  }
}
