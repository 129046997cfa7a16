// SPDX-License-Identifier: Apache-2.0
// Overflows its stack.
// Outcome: crashed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    func deeper(_ number: Int) -> Int { number == -1 ? 0 : deeper(number + 1) + number }
    print(deeper(0))
  }
}
