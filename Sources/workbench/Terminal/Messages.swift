// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Lessons

/// Says sentences beside the results, in the reader's language.
struct Messages: Sendable {
  /// The reader's language.
  var catalogue: StringCatalogue

  /// Prints `workbench: ` and the sentence on standard error.
  func tell(_ sentence: Phrase) {
    Terminal.tell("workbench: \(catalogue(sentence))")
  }

  /// Says what a name that is none was taken for.
  func tell(taken name: String, for label: String) {
    tell("“\(name)” is taken for \(label).")
  }

  /// The lesson that a person means by this name; a guess is said.
  ///
  /// - Throws: `LessonKitError` with code `unknownName` where no lesson or several may be meant.
  func lesson(meantBy name: String) throws -> Lesson {
    let found = try Course.catalog.lesson(meantBy: name)
    if !found.isCalled(name) { tell(taken: name, for: "\(found.id) (\(found.slug))") }
    return found
  }
}
