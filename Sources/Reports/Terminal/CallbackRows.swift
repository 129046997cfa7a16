// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// An example's callbacks: how many of each kind, when, and where they came.
struct CallbackRows {
  private let callbacks: [CallbackCount]
  private let columns: Int
  private let style: TextStyle

  init(_ callbacks: [CallbackCount], columns: Int, style: TextStyle) {
    self.callbacks = callbacks
    self.columns = columns
    self.style = style
  }

  /// Two lines or more for each kind of callback; one line when none came.
  var lines: [String] {
    guard !callbacks.isEmpty else { return [style.say("none came")] }
    return callbacks.flatMap(rows)
  }

  private func rows(_ callback: CallbackCount) -> [String] {
    let number = TextLayout.fillLeft("\(callback.count)×", 5) + " "
    let name = callback.detail.isEmpty ? callback.name : "\(callback.name) \(callback.detail)"
    let indent = String(repeating: " ", count: 6)
    let names = broken(name, columns - 6)
    let lines = names.enumerated().map { index, part in (index == 0 ? number : indent) + part }
    return lines
      + TextLayout.wrap(style.say(description(of: callback)), columns - 8).map {
        indent + "  " + style.paint($0, callback.implemented ? .faint : .doubtful)
      }
  }

  private func description(of callback: CallbackCount) -> Phrase {
    guard callback.implemented else { return "would have been called: not implemented" }
    let places = PlaceWords.phrases(callback.places).joined("; ")
    let (first, last) = (Figures.time(callback.first), Figures.time(callback.last))
    return first == last ? "\(places), at \(first)" : "\(places), \(first) to \(last)"
  }

  /// A long method name breaks behind a colon.
  private func broken(_ name: String, _ columns: Int) -> [String] {
    var lines = [""]
    var part = ""
    for character in name {
      part.append(character)
      if character == ":" || character == " " || character == ")" {
        if lines[lines.count - 1].count + part.trimmedEnd.count > columns { lines.append("  ") }
        lines[lines.count - 1] += part
        part = ""
      }
    }
    if lines[lines.count - 1].count + part.count > columns { lines.append("  ") }
    lines[lines.count - 1] += part
    return lines.map(\.trimmedEnd)
  }
}
