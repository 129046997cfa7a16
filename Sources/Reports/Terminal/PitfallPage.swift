// SPDX-License-Identifier: Apache-2.0
import LessonKit
public import Pitfalls

/// The catalogue's entry on a pitfall, for a terminal.
public struct PitfallPage {
  private let pitfall: Pitfall

  private let examples: [String]

  /// The page of `pitfall`, which these examples of the lessons have.
  public init(_ pitfall: Pitfall, examples: [String] = []) { (self.pitfall, self.examples) = (pitfall, examples) }

  /// The page: what happens, what mends it, and the lesson that shows both.
  public func text(_ style: TextStyle) -> String {
    let entry = pitfall.entry
    let having: Phrase = "Examples that have it: \(Phrase(verbatim: examples.prefix(6).joined(separator: ", ")))"
    let name = style.paint(pitfall.rawValue, entry.grade.role)
    return style.say("\(name) (\(entry.grade.word))") + "\n"
      + style.lines(entry.harmInGeneral, indent: 2) + style.lines(Phrase(key: entry.cure), indent: 2)
      + style.lines("Lesson \(entry.lesson): workbench show \(entry.lesson).", indent: 2)
      + (examples.isEmpty ? "" : style.lines(having, indent: 2))
  }

  /// All pitfalls, each with grade and lesson in a row, and below it with the sentence that says what goes wrong.
  public static func list(_ style: TextStyle) -> String {
    let rows = style.columns(
      Pitfall.allCases.map { pitfall in
        let entry = pitfall.entry
        return [pitfall.rawValue, style.say(entry.grade.word), style.say("lesson \(entry.lesson)")]
      })
    return zip(rows.split(separator: "\n"), Pitfall.allCases).map { row, pitfall in
      let name = style.paint(pitfall.rawValue, pitfall.entry.grade.role)
      return name + row.dropFirst(pitfall.rawValue.count) + "\n"
        + style.lines(pitfall.entry.harmInGeneral, indent: 2)
    }.joined()
  }
}
