// SPDX-License-Identifier: Apache-2.0
// Runs before the measuring has begun, by a section whose attribute stands between backticks.
// Outcome: notCompiled
import Glibc
import LessonKit
import SessionAPI

@`section`(".init_array") @`used` let early: @convention(c) () -> Void = { _exit(0) }

enum Exercise {
  static func run(_ app: ExerciseContext) {}
}
