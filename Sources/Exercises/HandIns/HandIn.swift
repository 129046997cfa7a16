// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// The hand-in of one student: a folder, a Swift file, an archive, or some files that lie beside those of other students.
public struct HandIn: Sendable, Hashable {
  /// The name by which results and grades know it.
  public let name: String
  /// Where its files lie; nowhere for a hand-in that is not opened.
  public let places: [URL]
  /// The student's id where a learning platform has put it into the name.
  public let student: String?
  /// The platform whose form the name has, nil for any other name.
  public var platform: LearningPlatform?
  /// True if the platform says that it came late.
  public var isLate = false
  /// Why a person has to look at it before it can have a grade; empty where nothing is in doubt.
  public var doubt = Phrase.empty
  /// What is to be said of how its files were found; empty where there is nothing.
  public var remark = Phrase.empty

  /// A hand-in of these places.
  public init(name: String, places: [URL], student: String? = nil) {
    (self.name, self.places, self.student) = (name, places, student)
  }

  /// The hand-in at a path.
  public init(at path: String) {
    let place = URL(fileURLWithPath: path)
    self.init(name: place.lastPathComponent, places: [place])
  }

  /// True if a person means this one by `name`.
  public func isCalled(_ name: String) -> Bool {
    name == self.name || name == student || places.contains { $0.lastPathComponent == name }
  }
}

/// Names of files as a terminal and a report may show them.
public enum FileNames {
  /// How many names a sentence has at most, and how long one may be.
  private static let (most, longest) = (5, 80)

  /// A student chooses the name, so what a terminal would take for an order becomes a mark, and what is long is cut.
  public static func printable(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: "\u{FFFD}" as Unicode.Scalar
      default: scalar
      }
    }
    let text = String(String.UnicodeScalarView(scalars))
    return text.count <= longest ? text : text.prefix(longest - 1) + "…"
  }

  /// The first names, in order.
  static func list(_ names: [String]) -> String {
    names.sorted().prefix(most).map(printable).joined(separator: ", ") + (names.count > most ? ", …" : "")
  }

  /// The name of a file about a hand-in: a file's name has at most 255 bytes, and a hand-in's may have as many.
  public static func file(_ name: String, _ ending: String) -> String {
    guard name.utf8.count > 240 else { return "\(name).\(ending)" }
    let stamp = HandInStamp(HandIn(name: name, places: []), gradedBy: name)
    return "\(name.prefix(50))-\(stamp).\(ending)"
  }
}
