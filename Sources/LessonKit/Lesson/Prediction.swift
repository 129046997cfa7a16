// SPDX-License-Identifier: Apache-2.0

/// A question that a student answers before the lesson runs, and that the run answers.
public struct Prediction: Sendable {
  /// The question.
  public var question: Phrase
  /// The answers to choose from, two to five.
  public var answers: [Phrase]
  /// The right answer's place among them, from 1. It is right as long as the claim comes out as expected.
  public var right: Int
  /// The claim or pitfall check whose verdict shows it, such as `N1-24`.
  public var claim: String

  /// A question as given.
  public init(_ question: Phrase, answers: [Phrase], right: Int, shownBy claim: String) {
    self.question = question
    self.answers = answers
    self.right = right
    self.claim = claim
  }
}
