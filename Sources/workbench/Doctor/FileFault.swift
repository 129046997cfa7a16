// SPDX-License-Identifier: Apache-2.0
import Exercises
import LessonKit

/// Something that is not in order in a file of the lessons or of the sources.
struct FileFault: Encodable, Hashable, CustomStringConvertible {
  /// The file, below the folder of lessons or below the package's.
  var file: String
  /// The line in it, from 1.
  var line: Int
  /// The sentence that tells the fault.
  var sentence: String

  /// One line for a person or an editor: file, line, sentence.
  var description: String { "\(file):\(line): \(sentence)" }
}

extension FileFault {
  /// A fault of a lesson's files.
  init(_ fault: LessonInspection.Fault) {
    self.init(file: fault.file, line: fault.line, sentence: fault.sentence)
  }
}

extension FileFault {
  /// A fault of an exercise's files.
  init(_ fault: ExerciseInspection.Fault) {
    self.init(file: fault.file, line: fault.line, sentence: fault.sentence.description)
  }
}
