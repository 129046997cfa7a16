// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// How much a person has to write.
enum SourceLines {
  /// The lines of code in an example's file: not empty, no comment, no import.
  ///
  /// - Parameter marker: counts only the lines between `// begin marker` and `// end marker`.
  /// - Throws: `LessonKitError` when the file cannot be read.
  static func count(in lesson: Lesson, _ example: String, between marker: String? = nil) throws(LessonKitError) -> Int {
    guard let example = lesson.examples.first(where: { $0.id == example }) else { return 0 }
    let source = try LessonText().source(of: example, in: lesson)
    var lines = source.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    if let marker {
      lines = Array(lines.drop { $0 != "// begin \(marker)" }.prefix { $0 != "// end \(marker)" })
    }
    return lines.count { !$0.isEmpty && !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
  }
}
