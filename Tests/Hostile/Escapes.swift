// SPDX-License-Identifier: Apache-2.0
// Prints and shows sequences that command a terminal: a title, an erased screen, a question that it answers as if typed.
// Outcome: exited
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let commands = "\u{1B}]0;title\u{7}\u{1B}[2J\u{1B}[31mred\u{1B}[c\u{9B}5n\u{7F}\r\u{8}"
    app.result(commands)
    print(commands)
    exit(3)
  }
}
