// SPDX-License-Identifier: Apache-2.0
// Ends its process as if all were well.
// Outcome: exited
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    exit(0)
  }
}
