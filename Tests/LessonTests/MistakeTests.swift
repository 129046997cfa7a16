// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

/// A mistake that a claim describes: one program shows it, another does the same job without it.
struct Mistake: Sendable, CustomTestStringConvertible {
  var claim: String
  var lesson: Int
  var mistake: String
  var bad: String
  var cure: String
  var shows: @Sendable (ExampleRun) -> Bool

  init(
    _ claim: String, in lesson: Int, _ mistake: String, bad: String, cure: String,
    shows: @escaping @Sendable (ExampleRun) -> Bool
  ) {
    (self.claim, self.lesson, self.mistake, self.bad, self.cure) = (claim, lesson, mistake, bad, cure)
    self.shows = shows
  }

  var testDescription: String { "\(claim) \(mistake)" }
}

/// For every claim that describes a pitfall: the bad form shows it, the cure does not.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MistakeTests {
  private static let all = Mistake.waiting + Mistake.files + Mistake.runLoops + Mistake.lives

  @Test(arguments: all) func `the bad form shows the pitfall`(_ pitfall: Mistake) async throws {
    #expect(pitfall.shows(try await LessonRuns.shared.example(pitfall.bad, of: pitfall.lesson)))
  }

  @Test(arguments: all) func `the cure does not`(_ pitfall: Mistake) async throws {
    #expect(!pitfall.shows(try await LessonRuns.shared.example(pitfall.cure, of: pitfall.lesson)))
  }
}
