// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A learning platform that puts the student's id into the names of the files that it hands to the teacher.
public enum LearningPlatform: String, Sendable, Hashable {
  case moodle = "Moodle"
  case canvas = "Canvas"
}

/// Moodle's form of the name of a folder or a file that a student hands in:
/// `Ada Example_123456_assignsubmission_file_`, with the file's own name behind it where the download has no folders.
///
/// Moodle writes no underscore into the student's name, and reads such names in the same way: the parts up to the fourth
/// underscore are its own, and the rest is the student's, whatever it holds.
struct MoodleFileName: Sendable, Hashable {
  /// The student's name, or what stands for it.
  let who: String
  /// The student's number in the assignment.
  let student: String

  /// Nil for another name.
  init?(_ name: String) {
    let parts = NameParts.of(name, most: 5)
    guard parts.count >= 4, !parts[0].isEmpty, NameParts.isNumber(parts[1]), parts[2] == "assignsubmission",
      !parts[3].isEmpty
    else { return nil }
    (who, student) = (parts[0], parts[1])
  }

  /// True if a name has Moodle's form in a part of it alone, so that it does not say for certain whose the file is.
  static func isWithin(_ name: String) -> Bool {
    MoodleFileName(name) == nil && name.utf8.count > 0 && name.contains(#/_[0-9]+_assignsubmission_/#)
  }

  /// The folder in which Moodle's “Upload multiple feedback files in a zip” looks for those of a student.
  static func feedbackFolder(_ name: String) -> String { "\(name)_assignsubmission_file_" }
}

/// Canvas's form of the name of a file that a student hands in: `exampleada_12345_67890_Exercise.swift`, with `_LATE`
/// behind the first part where it came late.
struct CanvasFileName: Sendable, Hashable {
  /// The student's names, run together; Canvas writes small letters.
  let who: String
  /// The student's id.
  let student: String
  /// The number of the file, higher for a later one.
  let number: Int
  /// The name that the student chose, with `-1`, `-2` … for each further one of the same name.
  let file: String
  /// True if it came late.
  let isLate: Bool

  /// All ways to read a name; none for another name. Canvas takes numbers between underscores out of a student's name, but for
  /// its end, and leaves those in a file's name, so that two numbers may be preceded or followed by a third one.
  static func readings(of name: String) -> [CanvasFileName] {
    let parts = NameParts.of(name)
    guard parts.count >= 4 else { return [] }
    return (1..<parts.count - 2).compactMap { place in
      let isLate = place > 1 && parts[place - 1] == "LATE"
      let who = parts[..<(isLate ? place - 1 : place)]
      guard NameParts.isNumber(parts[place]), NameParts.isNumber(parts[place + 1]), let number = Int(parts[place + 1]),
        !who.dropFirst().dropLast().contains(where: NameParts.isNumber), who.first?.isEmpty == false,
        // An anonymous student's id is no number, though it may look like one.
        who.first != "anon"
      else { return nil }
      let file = parts[(place + 2)...].joined(separator: "_")
      guard !file.isEmpty else { return nil }
      return CanvasFileName(
        who: who.joined(separator: "_"), student: parts[place], number: number, file: file, isLate: isLate)
    }
  }

  /// A student's name as Canvas writes it into the names of files.
  static func who(_ name: String) -> String {
    String(
      name.replacing(#/_([0-9]+)_/#) { $0.1 }.lowercased().unicodeScalars.filter {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
          || [.nonspacingMark, .spacingMark, .enclosingMark].contains($0.properties.generalCategory)
      }.map(Character.init))
  }

  /// The file's name without the number of its version, and that number, 0 for the first.
  var version: (base: String, number: Int) {
    guard let match = file.wholeMatch(of: #/(.+)-([1-9][0-9]{0,3})(\.[^.]+(?:\.txt)?)?/#.dotMatchesNewlines()),
      let number = Int(match.2)
    else { return (file, 0) }
    return (String(match.1) + (match.3.map(String.init) ?? ""), number)
  }
}

/// The parts of a name between underscores. A sign that combines with an underscore is a part's beginning.
private enum NameParts {
  static func of(_ name: String, most: Int = .max) -> [String] {
    name.utf8.split(
      separator: UInt8(ascii: "_"), maxSplits: most == .max ? most : most - 1, omittingEmptySubsequences: false
    )
    .map { String(decoding: $0, as: UTF8.self) }
  }

  static func isNumber(_ part: String) -> Bool { !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
