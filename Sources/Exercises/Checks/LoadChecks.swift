// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// So many loads are started, those among them that reach no server.
struct LoadsCheck: BoundCheck {
  static let (name, isOutside) = ("loads", false)
  let bound: Bound
  var title: Phrase { "loads" }
  func count(_ facts: RunFacts) -> Int { facts.run.recording.loads.count }
}

/// This line is printed once the server's answer has begun.
struct PrintedCheck: CheckKind {
  static let (name, keys, isOutside) = ("printed", Set(["line"]), false)
  let line: String
  init(_ map: ManifestNode) throws(LessonKitError) { line = try map.text("line") }
  var title: Phrase { "when “\(line)” is printed" }
  var wanted: Phrase { "after the server's answer" }

  func judge(_ facts: RunFacts) -> Judgement {
    guard let line = facts.line(line) else { return .notPrinted }
    guard let answer = facts.run.requests.compactMap(\.answered).max() else {
      return Judgement("the server did not answer", false)
    }
    return line.instant >= answer
      ? Judgement("after the answer", true)
      : Judgement("\((answer - line.instant).hundredths) s before the answer", false)
  }
}
