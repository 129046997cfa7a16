// SPDX-License-Identifier: Apache-2.0
// Never comes to its end.
// Outcome: hung
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    while true {}
  }
}
