// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One thing that the workbench needs, and whether this machine has it.
struct Finding: Hashable {
  /// The requirement.
  var subject: Phrase
  /// The state that was found.
  var state: Phrase
  /// The command or sentence that mends the lack; nil when nothing lacks.
  var cure: Phrase?

  /// True if the lessons and exercises need it; else its lack only makes less of something possible.
  var isNeeded = true

  /// True if something lacks that is needed.
  var isLacking: Bool { cure != nil && isNeeded }

  /// One line, and a second one with the cure.
  func text(_ catalogue: StringCatalogue, isASCII: Bool) -> String {
    let marks = isASCII ? (bad: "x", good: "+") : (bad: "✗", good: "✓")
    let mark = isLacking ? marks.bad : cure == nil ? marks.good : "!"
    let head = "\(mark) \(catalogue(subject)): \(catalogue(state))\n"
    return head + (cure.map { "  \(catalogue("mend it with: \($0)" as Phrase))\n" } ?? "")
  }
}

extension Finding: Encodable {
  private enum CodingKeys: String, CodingKey { case subject, state, cure, isLacking }

  /// Writes the English sentences.
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(subject.description, forKey: .subject)
    try object.encode(state.description, forKey: .state)
    try object.encodeIfPresent(cure?.description, forKey: .cure)
    try object.encode(isLacking, forKey: .isLacking)
  }
}
