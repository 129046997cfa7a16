// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// The judgement of a run on the answer that a student gave before it.
public enum PredictionJudgement {
  /// The sentence on `answer`, from 1, or nil where the question was skipped.
  public static func of(
    _ answer: Int?, to prediction: Prediction, in lesson: String, of report: RunReport
  ) -> Phrase {
    let (answers, id) = (prediction.answers, prediction.claim)
    guard settled(prediction, in: lesson, of: report) != nil, answers.indices.contains(prediction.right - 1) else {
      return "This run did not answer the question: \(id) is not settled as expected."
    }
    let right = answers[prediction.right - 1]
    guard let answer, answers.indices.contains(answer - 1) else {
      return "You skipped the question. The run's answer is “\(right)”."
    }
    if answer == prediction.right { return "The run agrees with your answer, “\(right)”." }
    return "You answered “\(answers[answer - 1])”; the run's answer is “\(right)”."
  }

  /// Names the evidence for the answer: the claim that was settled, with its verdict and its sentence. Empty where the
  /// run settled none.
  public static func reason(for prediction: Prediction, in lesson: String, of report: RunReport) -> Phrase {
    guard let claim = settled(prediction, in: lesson, of: report), let row = ClaimTable[claim.id] else { return .empty }
    return "Shown by \(claim.id), \(VerdictWords.of(claim.verdict)): \(Phrase(key: row.sentence))"
  }

  /// The claim that answers the question, where it came out as expected.
  private static func settled(_ prediction: Prediction, in lesson: String, of report: RunReport) -> ClaimResult? {
    let result = report.lessons.first { $0.id == lesson }
    let claim = (result.map { $0.claims + $0.checks } ?? []).first { $0.id == prediction.claim }
    return claim.flatMap { $0.verdict == $0.expected ? $0 : nil }
  }
}
