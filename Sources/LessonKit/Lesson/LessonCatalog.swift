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
    let names = lessons.map { (label: "\($0.id) (\($0.slug))", names: $0.names) }
    throw Self.unknown("lesson", name, closest: names, list: "workbench list")
  }

  /// Checks that each name is an example of one of the lessons, by its id or the part after the slash.
  ///
  /// - Throws: `LessonKitError` with code `unknownName`; its text names the closest examples.
  public static func checkExamples(_ names: [String], in lessons: [Lesson]) throws(LessonKitError) {
    let examples = lessons.flatMap(\.examples).map(\.id)
    for name in names where !examples.contains(where: { $0 == name || $0.hasSuffix("/" + name) }) {
      let known = examples.map { (label: $0, names: [$0, String($0.drop { $0 != "/" }.dropFirst())]) }
      throw unknown("example", name, closest: known, list: "workbench show LESSON")
    }
  }

  private static func unknown(
    _ kind: String, _ name: String, closest candidates: [(label: String, names: [String])], list: String
  ) -> LessonKitError {
    let ranked = candidates.map { candidate in
      (label: candidate.label, distance: candidate.names.map { EditDistance.between(name, $0) }.min() ?? .max)
    }
    let best = ranked.sorted { $0.distance < $1.distance }.prefix(3).map(\.label)
    let hint = best.isEmpty ? "" : " The closest \(best.count == 1 ? "is" : "are") \(best.joined(separator: ", "))."
    return LessonKitError(.unknownName, "There is no \(kind) “\(name)”.\(hint) “\(list)” shows all.")
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
