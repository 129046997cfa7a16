// SPDX-License-Identifier: Apache-2.0
// Stops itself, so that nothing of it hears a request to end.
// Outcome: hung
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    raise(SIGSTOP)
    app.runApplication()
  }
}
