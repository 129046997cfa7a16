// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit
@testable import Reports

@Suite struct ProgressWordsTests {
  private func words(_ examples: [String], left seconds: Double? = nil) -> String {
    RunProgress(lesson: "lesson-09", examples: examples, done: 2, total: 18, secondsLeft: seconds).words.description
  }

  @Test func `one example has its number and its name`() {
    #expect(words(["connection/queue"], left: 11.2) == "3 of 18 · lesson-09 connection/queue · 12 s left")
  }

  @Test func `several that run at the same time have their numbers, the first its name`() {
    #expect(words(["connection/queue", "session/queue-nil"]) == "3–4 of 18 · lesson-09 connection/queue and 1 more")
  }
}
