// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

@Suite struct ExerciseLessonTests {
  @Test func `a student's program runs once in each case, under the circumstances of the check`() throws {
    let exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "21")
    let file = try StudentFile(reading: exercise.path(of: Exercise.fileName))
    let examples = exercise.lesson(of: file).examples
    #expect(examples.map(\.id) == ["session/away", "session/cut"])
    #expect(examples.allSatisfy { $0.circumstances.stop?.began == 0.3 && $0.circumstances.seed != nil })
    #expect(Set(examples.compactMap(\.circumstances.seed)).count == 2)
    guard case .body(_, _, _, let takes, _, let options) = examples[1].resource else {
      Issue.record("the case loads a body")
      return
    }
    #expect(takes == .seconds(1) && options == "etag=v1&cut=3500KiB&by=fin")
  }

  @Test func `a body may have another size in each run, and a path says it`() throws {
    let exercise = try ExerciseCourse(folder: LessonText().root).exercise(named: "13")
    let file = try StudentFile(reading: exercise.path(of: Exercise.fileName))
    for example in exercise.lesson(of: file).examples {
      let bytes = try #require(example.circumstances.bodyBytes)
      #expect((48 << 10...64 << 10).contains(bytes))
      guard case .path(let path) = example.resource else {
        Issue.record("the case loads a path")
        return
      }
      #expect(path.contains("&size=\(bytes)&"))
    }
  }
}
