// SPDX-License-Identifier: Apache-2.0
// Runs into a trap.
// Outcome: crashed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let none: [Int] = []
    print(none[app.scratch.path.count])
  }
}
