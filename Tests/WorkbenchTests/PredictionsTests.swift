// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Reports
import Testing

@testable import workbench

@Suite struct PredictionsTests {
  private func lesson(_ number: Int = 9, asks: Bool = true) -> Lesson {
    var lesson = Lesson(number: number, slug: "l\(number)", title: "", minutes: 1, examples: [], claims: [])
    let answers: [Phrase] = ["the first", "the second", "the third"]
    if asks {
      lesson.prediction = Prediction("Which gets no callback?", answers: answers, right: 2, shownBy: "N1-24")
    }
    return lesson
  }

  private func report(_ verdict: Verdict) -> RunReport {
    let claim = ClaimResult(id: "N1-24", verdict: verdict, expected: .confirmed, findings: [])
    return RunReport(
      machine: .current(), started: "", bodyBytes: 1,
      lessons: [LessonResult(id: "lesson-09", title: "", examples: [], claims: [claim])])
  }

  /// The questions after these answers, and what was printed.
  private func asked(
    _ lessons: [Lesson], _ answers: String...
  ) throws -> (predictions: Predictions, printed: String) {
    var (predictions, rest, printed) = (Predictions(TextStyle(width: 70, isColored: false)), answers[...], "")
    try predictions.ask(lessons, read: { rest.popFirst() }, write: { printed += $0 })
    return (predictions, printed)
  }

  @Test func `a question has numbered answers, and the run judges the one given`() throws {
    let right = try asked([lesson()], "2")
    #expect(
      right.printed == """
        lesson-09  Which gets no callback?
          1  the first
          2  the second
          3  the third
        Your answer (1 to 3, Enter skips):\u{20}
        """)
    let agreed = right.predictions.text(for: report(.confirmed))
    #expect(agreed.contains("The run agrees with your answer, “the second”.\n"))
    let wrong = try asked([lesson()], " 3 ").predictions.text(for: report(.confirmed))
    #expect(wrong.contains("  You answered “the third”; the run's answer is “the second”.\n"), "\(wrong)")
    #expect(wrong.contains("\n  Shown by N1-24, confirmed: "), "\(wrong)")
    #expect(wrong.split(separator: "\n").allSatisfy { $0.count <= 70 }, "\(wrong)")
  }

  @Test func `Enter skips, anything else asks again`() throws {
    let skipped = try asked([lesson()], "")
    #expect(skipped.predictions.text(for: report(.confirmed)).contains("You skipped the question."))
    let again = try asked([lesson()], "4", "two", "0", "1")
    #expect(again.printed.split(separator: "Your answer").count == 5)
    #expect(again.predictions.answered.first?.answer == 1)
  }

  @Test func `a verdict other than expected answers nothing`() throws {
    let text = try asked([lesson()], "2").predictions.text(for: report(.refuted))
    #expect(text.contains("This run did not answer the question"))
    #expect(!text.contains("Shown by"))
  }

  @Test func `an input that ends skips the rest, but not all`() throws {
    let both = try asked([lesson(9), lesson(8, asks: false), lesson(10)], "1").predictions.answered
    #expect(both.map(\.answer) == [1, nil])
    #expect(throws: LessonKitError.self) { try asked([lesson()]) }
    #expect(try asked([lesson(8, asks: false)]).predictions.answered.isEmpty)
  }
}
