// SPDX-License-Identifier: Apache-2.0
public import Pitfalls

extension PitfallSeen {
  /// The harm in a sentence, with the most that was measured.
  public var harm: Phrase {
    let harm = pitfall.entry.harm(grade)
    return Phrase(key: harm, values: harm.contains("{}") ? [.text(figure.words)] : [])
  }

  /// The cure for it, in a sentence.
  public var cure: Phrase { Phrase(key: pitfall.entry.cure) }

  /// Its name and grade, such as "mode-starved (wrong)".
  public var words: Phrase { "\(pitfall.rawValue) (\(grade.word))" }
}

extension PitfallEntry {
  /// The harm in a sentence, without the figure of a finding.
  public var harmInGeneral: Phrase { Phrase(key: harm, values: harm.contains("{}") ? [.text("…")] : []) }
}

extension Pitfall.Grade {
  /// The grade in a word.
  public var word: Phrase {
    switch self {
    case .wrong: Phrase("wrong", of: "grade")
    case .costly: "costly"
    case .look: "look"
    }
  }
}

extension ExampleResult {
  /// The names of the pitfalls that it has, the worst first.
  public var pitfallNames: [String] { (pitfalls ?? []).map(\.pitfall.rawValue) }

  /// The pitfalls that it has, in a line; nil where none was found or none was looked for.
  public var pitfallWords: Phrase? {
    guard let pitfalls, !pitfalls.isEmpty else { return nil }
    return pitfalls.dropFirst().reduce(pitfalls[0].words) { "\($0), \($1.words)" }
  }
}
