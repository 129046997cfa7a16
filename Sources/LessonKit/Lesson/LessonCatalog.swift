// SPDX-License-Identifier: Apache-2.0

/// The lessons that exist, found by any of their names.
public struct LessonCatalog: Sendable {
  /// The lessons in the order of the course.
  public let lessons: [Lesson]

  /// A catalog of these lessons.
  public init(_ lessons: [Lesson]) {
    self.lessons = lessons.sorted { $0.number < $1.number }
  }

  /// The lesson of that name: `lesson-05`, `lesson-5`, `05`, `5`, `delegate-progress` or the folder's name, in any case.
  ///
  /// - Throws: `LessonKitError` with code `unknownName`; its text names the closest lessons, or the range of the numbers.
  public func lesson(named name: String) throws(LessonKitError) -> Lesson {
    if let found = lessons.first(where: { $0.isCalled(name) }) { return found }
    if let number = NameSearch.number(in: name), let first = lessons.first?.number, let last = lessons.last?.number,
      !(first...last).contains(number)
    {
      throw LessonKitError(
        .unknownName, "There is no lesson \(number): they are numbered \(first) to \(last). “workbench list” shows all."
      )
    }
    let closest = NameSearch.closest(to: name, candidates)
    throw LessonKitError(.unknownName, "There is no lesson “\(name)”.\(closest) “workbench list” shows all.")
  }

  /// The lesson that a person means by this name: the one of that name, else the only one with a name that begins with it,
  /// else holds it, else differs from it by a slip of the finger.
  ///
  /// - Throws: `LessonKitError` with code `unknownName`; its text names the lessons that it may mean, or the closest.
  public func lesson(meantBy name: String) throws(LessonKitError) -> Lesson {
    if lessons.contains(where: { $0.isCalled(name) }) { return try lesson(named: name) }
    guard let only = try NameSearch.only(meantBy: name, among: candidates) else { return try lesson(named: name) }
    return lessons[only]
  }

  /// The lessons as candidates for the meaning of a name.
  public var candidates: [NameSearch.Candidate] {
    lessons.map { (label: "\($0.id) (\($0.slug))", names: $0.names, number: $0.number) }
  }

  /// Checks that each name is an example of one of the lessons, by its id or the part after the slash.
  ///
  /// - Throws: `LessonKitError` with code `unknownName`; its text names the closest examples.
  public static func checkExamples(_ names: [String], in lessons: [Lesson]) throws(LessonKitError) {
    let examples = lessons.flatMap(\.examples).map(\.id)
    for name in names where !examples.contains(where: { $0 == name || $0.hasSuffix("/" + name) }) {
      let known = examples.map { id -> NameSearch.Candidate in
        (label: id, names: [id, String(id.drop { $0 != "/" }.dropFirst())], number: nil)
      }
      let closest = NameSearch.closest(to: name, known)
      throw LessonKitError(
        .unknownName, "There is no example “\(name)”.\(closest) “workbench show LESSON --source” shows all.")
    }
  }
}
