// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right words without work: the program prints the words in the order of the task's list and looks at no response.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    app.result("whole empty missing unable cut lost late nobody unsupported")
  }
}
