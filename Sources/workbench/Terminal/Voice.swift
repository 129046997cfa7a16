// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Says sentences beside the results, in the reader's language.
struct Voice: Sendable {
  /// The reader's language.
  var catalogue: StringCatalogue

  /// Prints `workbench: ` and the sentence on standard error.
  func tell(_ sentence: Phrase) {
    Terminal.tell("workbench: \(catalogue(sentence))")
  }
}
