// SPDX-License-Identifier: Apache-2.0
// Leaves links out of its folder, and files whose reading has no end.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    for (name, target) in [
      ("download", "/dev/zero"), ("zero", "/dev/zero"), ("passwd", "/etc/passwd"), ("up", "../.."), ("loop", "loop"),
      ("random", "/dev/urandom"), ("self", "/proc/self"),
    ] { symlink(target, app.scratch.appendingPathComponent(name).path) }
    mkfifo(app.scratch.appendingPathComponent("pipe").path, 0o600)
    chdir(app.scratch.path)
    let name: [CChar] = [-1, -2, 10, 0]
    close(open(name, O_CREAT, 0o600))
  }
}
