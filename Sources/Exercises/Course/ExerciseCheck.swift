// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One thing that is checked of an exercise's program, in one or all of its cases.
public struct ExerciseCheck: Sendable {
  /// Its name in the exercise.
  public var id: String
  /// The points that it is worth.
  public var points: Int
  /// The subject of the check, with its bound.
  var rule: any CheckKind
  /// The case that it looks at, nil for all.
  var onlyIn: String?
  /// Checks that must hold as well (a program that does nothing leaks nothing), those that they name themselves among them.
  var with: [String]

  var isOutside: Bool { type(of: rule).isOutside }

  /// The checks of a list.
  static func all(_ node: ManifestNode, cases: [String]) throws(LessonKitError) -> [ExerciseCheck] {
    var all: [ExerciseCheck] = []
    for element in try node.elements() {
      let next = try ExerciseCheck(element)
      if all.contains(where: { $0.id == next.id }) { throw element.wrong("there are two checks “\(next.id)”") }
      if let only = next.onlyIn, !cases.contains(only) { throw element.wrong("there is no case “\(only)”") }
      all.append(next)
    }
    for (check, element) in zip(all, try node.elements()) {
      for name in check.with {
        guard name != check.id, let other = all.first(where: { $0.id == name }) else {
          throw element.wrong("`with` names other checks, and “\(name)” is none")
        }
        for further in other.with where !check.with.contains(further) {
          throw element.wrong("`with` names “\(name)”, which counts only with “\(further)”; name that one, too")
        }
      }
    }
    guard all.contains(where: \.isOutside) else {
      throw node.wrong("here belongs at least one check of what is seen from outside of the program")
    }
    return all
  }

  private init(_ node: ManifestNode) throws(LessonKitError) {
    id = try node.need("id").text()
    points = try node.need("points").number(in: 1...100)
    onlyIn = try node.find("case")?.text()
    with = try node.find("with")?.list() ?? []
    rule = try CheckKinds.read(node)
  }
}
