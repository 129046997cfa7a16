// SPDX-License-Identifier: Apache-2.0
// Starts the measuring once more, with a key of its own and the pipe of the results as its output.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { exit(3) }
    let key = Array((String(repeating: "0", count: 64) + "\n").utf8)
    write(ends[1], key, key.count)
    dup2(ends[0], STDIN_FILENO)
    for descriptor in Int32(64)..<1024 where fcntl(descriptor, F_GETFL) & O_ACCMODE == O_WRONLY {
      dup2(descriptor, STDOUT_FILENO)
      break
    }
    let order =
      #"{"lesson":"a","example":"session/a","url":"http://127.0.0.1:1/","scratch":"/tmp","limit":1}"#
    OwnProgram.run(["", "_example", order], warmUp: { _ in }, program: { (app: ExerciseContext) in })
  }
}
