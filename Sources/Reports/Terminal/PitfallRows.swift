// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

extension PitfallSeen {
  /// The place where it was found first, such as "at 0.42 s on thread 3, load 2".
  func place(of load: String) -> Phrase {
    let times: Phrase = count == 1 ? "once" : "\(count) times, first"
    let place: Phrase = "\(times) at \(Figures.time(instant)) on thread \(thread)"
    return load.isEmpty ? place : "\(place): \(Phrase(verbatim: load))"
  }
}

extension Pitfall.Grade {
  var role: Paint.Role {
    switch self {
    case .wrong: .bad
    case .costly: .doubtful
    case .look: .faint
    }
  }
}

/// Pitfalls that were found, each with its harm, its cure and its lesson.
struct PitfallRows {
  private let seen: [PitfallSeen]
  private let style: TextStyle
  private let load: (UInt64) -> String

  /// - Parameter load: names a load by its number, empty where it is not known.
  init(_ seen: [PitfallSeen], style: TextStyle, load: @escaping (UInt64) -> String) {
    (self.seen, self.style, self.load) = (seen, style, load)
  }

  /// The lines, each at most `columns` wide.
  func lines(_ columns: Int) -> [String] {
    seen.flatMap { seen -> [String] in
      let entry = seen.pitfall.entry
      let name = style.paint("\(seen.pitfall.rawValue)", seen.grade.role)
      let sentences: [Phrase] = [
        seen.harm, seen.cure, "Lesson \(entry.lesson): workbench show \(entry.lesson).",
      ]
      let place = seen.place(of: load(seen.load))
      let head: Phrase = "\(name) (\(seen.grade.word))"
      return TextLayout.wrap(style.say("\(head), \(place)"), columns, indent: 2)
        + sentences.flatMap { TextLayout.wrap("  " + style.say($0), columns, indent: 2) }
    }
  }
}
