// SPDX-License-Identifier: Apache-2.0

/// The lessons that exist, found by any of their names.
public struct LessonCatalog: Sendable {
  /// The lessons in the order of the course.
  public let lessons: [Lesson]

  /// A catalog of these lessons.
  public init(_ lessons: [Lesson]) {
    self.lessons = lessons.sorted { $0.number < $1.number }
  }

  /// The lesson of that name: `lesson-05`, `05`, `5`, `delegate-progress` or the folder's name, in any case.
  ///
  /// - Throws: `LessonKitError` with code `unknownName`; its text names the closest lessons.
  public func lesson(named name: String) throws(LessonKitError) -> Lesson {
    let wanted = name.lowercased()
    if let found = lessons.first(where: { $0.names.contains(wanted) }) { return found }
    let names = lessons.map { (label: "\($0.id) (\($0.slug))", names: $0.names, number: Int?($0.number)) }
    let closest = Self.closest(to: name, names)
    throw LessonKitError(.unknownName, "There is no lesson “\(name)”.\(closest) “workbench list” shows all.")
  }

  /// Checks that each name is an example of one of the lessons, by its id or the part after the slash.
  ///
  /// - Throws: `LessonKitError` with code `unknownName`; its text names the closest examples.
  public static func checkExamples(_ names: [String], in lessons: [Lesson]) throws(LessonKitError) {
    let examples = lessons.flatMap(\.examples).map(\.id)
    for name in names where !examples.contains(where: { $0 == name || $0.hasSuffix("/" + name) }) {
      let known = examples.map { id -> Candidate in
        (label: id, names: [id, String(id.drop { $0 != "/" }.dropFirst())], number: nil)
      }
      let closest = closest(to: name, known)
      throw LessonKitError(
        .unknownName, "There is no example “\(name)”.\(closest) “workbench show LESSON --source” shows all.")
    }
  }

  /// What a name may have meant: how it is shown, what it is called, and its number.
  public typealias Candidate = (label: String, names: [String], number: Int?)

  /// A sentence with the three closest names, behind a space; empty where there are none. A lesson whose number stands in
  /// the name comes first, such as lesson 5 for `lesson-5x`.
  public static func closest(to name: String, _ candidates: [Candidate]) -> Phrase {
    let number = Int(name.filter { ("0"..."9").contains($0) })
    let ranked = candidates.map { candidate in
      let isMeant = number != nil && candidate.number == number
      let distance = candidate.names.map { EditDistance.between(name, $0) }.min() ?? .max
      return (label: candidate.label, distance: isMeant ? 0 : distance)
    }
    let best = ranked.sorted { $0.distance < $1.distance }.prefix(3).map(\.label)
    guard let first = best.first else { return .empty }
    return best.count == 1 ? " The closest is \(first)." : " The closest are \(best.joined(separator: ", "))."
  }
}

/// How different two names are.
enum EditDistance {
  /// The least number of letters to insert, remove or replace to make one name of the other, in any case (Levenshtein).
  static func between(_ first: String, _ second: String) -> Int {
    let (left, right) = (Array(first.lowercased()), Array(second.lowercased()))
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (letter == right[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[right.count]
  }
}
