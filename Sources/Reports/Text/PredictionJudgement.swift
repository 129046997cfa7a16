// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// What a run says of the answer that a student gave before it.
public enum PredictionJudgement {
  /// The sentence on `answer`, from 1, or nil where the question was skipped.
  public static func of(
    _ answer: Int?, to prediction: Prediction, in lesson: String, of report: RunReport
  ) -> Phrase {
    let result = report.lessons.first { $0.id == lesson }
    let claim = (result.map { $0.claims + $0.checks } ?? []).first { $0.id == prediction.claim }
    let (answers, id) = (prediction.answers, prediction.claim)
    guard let claim, claim.verdict == claim.expected, answers.indices.contains(prediction.right - 1) else {
      return "This run did not answer the question: \(id) is not settled as expected."
    }
    let right = answers[prediction.right - 1]
    guard let answer, answers.indices.contains(answer - 1) else {
      return "You skipped the question. The run's answer: \(right) (\(id))."
    }
    if answer == prediction.right { return "The run agrees with your answer: \(right) (\(id))." }
    return "You answered: \(answers[answer - 1]) The run does not agree; its answer: \(right) (\(id))."
  }
}
