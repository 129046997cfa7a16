// SPDX-License-Identifier: Apache-2.0
// Types a command into the terminal that the grader was started from, and writes there without any limit.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let (type, linux) = (UInt(0x5412), UInt(0x541C))  // TIOCSTI and TIOCLINUX, which are macros of C
    for terminal in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, open("/dev/tty", O_RDWR), open("/dev/tty", O_WRONLY)] {
      for byte in Array("echo typed by a submission\n".utf8) {
        var key = byte
        if ioctl(terminal, type, &key) == 0 { exit(3) }
      }
      var paste: UInt8 = 3
      if ioctl(terminal, linux, &paste) == 0 { exit(4) }
      if isatty(terminal) == 1 { exit(5) }
    }
    let terminal = open("/dev/tty", O_WRONLY)
    for _ in 1...100 { write(terminal, "written by a submission\n", 24) }
  }
}
