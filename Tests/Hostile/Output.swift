// SPDX-License-Identifier: Apache-2.0
// Prints without end.
// Outcome: overLimit
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let line = String(repeating: "x", count: 1000)
    while true { print(line) }
  }
}
