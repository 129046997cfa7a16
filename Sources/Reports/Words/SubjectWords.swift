// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The subject of a lesson, with the figures that its run measured.
struct SubjectWords {
  /// One of the two examples: the sign of its form, its name and its figure.
  struct Part {
    /// ✗ for the wrong form, ✓ for the right one, empty where both are right.
    var sign: String
    /// The example's name; its whole id where the lesson has the name on both sides.
    var name: String
    /// The figure.
    var figure: Phrase

    /// All three; no-break spaces keep the sign and a short figure with the name.
    var words: Phrase {
      sign.isEmpty ? "\(name):\u{A0}\(figure)" : "\(sign)\u{A0}\(name):\u{A0}\(figure)"
    }
  }

  /// The name of the figure.
  let title: Phrase
  /// The examples that have run.
  let parts: [Part]

  /// Nil where the lesson names no subject, or neither of its examples has run. Of an example that ran several times
  /// the run of the median time counts, with the medians of its memory and of main's silence.
  init?(_ lesson: LessonResult) {
    guard let subject = lesson.subject else { return nil }
    let names = subject.examples.map(ExampleResult.name)
    title = subject.title
    let results = lesson.runs.map(\.median)
    parts = zip(subject.examples, ["✗", "✓"]).compactMap { id, sign in
      guard let result = results.first(where: { $0.id == id }) else { return nil }
      let figure = subject.metric.words(result)
      return Part(
        sign: subject.hasWrongForm ? sign : "", name: Set(names).count == names.count ? result.name : id,
        figure: subject.metric == .lastLine ? "“\(figure)”" : figure)
    }
    if parts.isEmpty { return nil }
  }

  /// All in a line, such as "callbacks during the touch: ✗ default-mode: 0 · ✓ common-modes: 41".
  var phrase: Phrase { "\(title): \(parts.map(\.words).joined(" · "))" }
}
