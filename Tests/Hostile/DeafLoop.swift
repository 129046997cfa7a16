// SPDX-License-Identifier: Apache-2.0
// Blocks every signal that it may, closes every descriptor, and never comes to its end.
// Outcome: any
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    for number in 1..<64 { signal(Int32(number), SIG_IGN) }
    for descriptor in 0..<1024 { close(Int32(descriptor)) }
    while true {}
  }
}
