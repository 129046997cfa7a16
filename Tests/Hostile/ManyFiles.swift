// SPDX-License-Identifier: Apache-2.0
// Fills its folder with files that are large without taking room.
// Outcome: overLimit
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    for number in 0..<900 {
      let file = open(app.scratch.appendingPathComponent("\(number)").path, O_WRONLY | O_CREAT, 0o600)
      ftruncate(file, 1 << 30)
      close(file)
    }
    app.runApplication()
  }
}
