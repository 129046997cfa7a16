// SPDX-License-Identifier: Apache-2.0
// Starts threads without end.
// Outcome: overLimit
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    while true {
      // Each thread stays for good: their number is what meets the limit.
      let thread = Thread { while true { sleep(1000) } }
      thread.stackSize = 16 << 10
      thread.start()
    }
  }
}
