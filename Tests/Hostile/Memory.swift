// SPDX-License-Identifier: Apache-2.0
// Takes memory without end.
// Outcome: overLimit
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    var all: [UnsafeMutableRawPointer] = []
    while let more = malloc(1 << 20) {
      memset(more, 1, 1 << 20)
      all.append(more)
    }
    exit(1)
  }
}
