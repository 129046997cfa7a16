// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Reports

/// The questions that lessons ask before they run, a person's answers, and what the run says of them.
struct Predictions: Sendable {
  /// One lesson's question with the answer to it, from 1; nil where it was skipped.
  struct Answered: Sendable {
    var lesson: Lesson
    var prediction: Prediction
    var answer: Int?
  }

  /// Reads a line of standard input; nil at its end.
  typealias Read = () -> String?
  /// Prints text.
  typealias Write = (String) throws -> Void

  /// Those that were asked, in the order of the lessons.
  private(set) var answered: [Answered] = []
  private let style: TextStyle

  /// No question yet.
  init(_ style: TextStyle) {
    self.style = style
  }

  /// Asks the questions of these lessons, one after the other. At the end of the input the rest is skipped.
  ///
  /// - Throws: `LessonKitError` with code `unknownName` where the input ends before any answer; what `write` throws.
  mutating func ask(_ lessons: [Lesson], read: Read, write: Write) throws {
    var isOver = false
    for lesson in lessons {
      guard let prediction = lesson.prediction else { continue }
      var answer: Int?
      if !isOver { (answer, isOver) = try ask(prediction, of: lesson, read, write) }
      if isOver, answered.isEmpty, answer == nil {
        throw LessonKitError(
          .unknownName, "No answer came. --predict asks at a terminal, or reads one answer a line from standard input.")
      }
      answered.append(Answered(lesson: lesson, prediction: prediction, answer: answer))
    }
  }

  private func ask(
    _ prediction: Prediction, of lesson: Lesson, _ read: Read, _ write: Write
  ) throws -> (answer: Int?, isOver: Bool) {
    let choices = prediction.answers.enumerated().map {
      style.lines("\($0.offset + 1)  \($0.element)", indent: 2, hanging: 3)
    }
    let prompt = style.catalogue("Your answer (1 to \(prediction.answers.count), Enter skips): " as Phrase)
    try write(style.lines("\(lesson.id)  \(prediction.question)", hanging: 2) + choices.joined() + prompt)
    while let line = read() {
      let text = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if text.isEmpty { return (nil, false) }
      if let number = Int(text), prediction.answers.indices.contains(number - 1) { return (number, false) }
      try write(prompt)
    }
    return (nil, true)
  }

  /// Gives the run's judgement on each answer, and why, a paragraph a lesson; empty where nothing was asked.
  func text(for report: RunReport) -> String {
    answered.map { asked in
      let judgement = PredictionJudgement.of(asked.answer, to: asked.prediction, in: asked.lesson.id, of: report)
      let reason = PredictionJudgement.reason(for: asked.prediction, in: asked.lesson.id, of: report)
      return ["\(asked.lesson.id)  \(asked.prediction.question)", judgement, reason].enumerated()
        .filter { !$0.element.isEmpty }
        .map { style.lines($0.element, indent: $0.offset == 0 ? 0 : 2, hanging: 2) }.joined()
    }.joined(separator: "\n")
  }
}
