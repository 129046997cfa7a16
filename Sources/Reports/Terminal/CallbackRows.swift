// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// An example's callbacks: how many of each kind, when, and where they came.
struct CallbackRows {
  private let callbacks: [CallbackCount]
  private let columns: Int
  private let paint: Paint

  init(_ callbacks: [CallbackCount], columns: Int, paint: Paint) {
    self.callbacks = callbacks
    self.columns = columns
    self.paint = paint
  }

  /// Two lines or more for each kind of callback; one line when none came.
  var lines: [String] {
    guard !callbacks.isEmpty else { return [paint("callbacks none came", .faint)] }
    return [paint("callbacks", .faint)] + callbacks.flatMap(rows)
  }

  private func rows(_ callback: CallbackCount) -> [String] {
    let number = TextLayout.fillLeft("\(callback.count)×", 7) + " "
    let name = callback.detail.isEmpty ? callback.name : "\(callback.name) \(callback.detail)"
    let indent = String(repeating: " ", count: 8)
    let names = broken(name, columns - 8)
    var lines = names.enumerated().map { index, part in (index == 0 ? number : indent) + part }
    let places = PlaceWords.lines(callback.places)
    let described = places.joined(separator: "; ") + ", " + instants(callback)
    lines += TextLayout.wrap(described, columns - 10).map { indent + "  " + paint($0, .faint) }
    return lines
  }

  private func instants(_ callback: CallbackCount) -> String {
    let first = Figures.time(callback.first)
    return callback.count == 1 ? "at \(first)" : "\(first) to \(Figures.time(callback.last))"
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

extension Double {
  /// The number with this many digits behind the point.
  func formatted(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
