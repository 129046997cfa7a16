// SPDX-License-Identifier: Apache-2.0
// Nests folders deeper than a path can tell, and takes the rights from another one.
// Outcome: any
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let locked = app.scratch.appendingPathComponent("locked").path
    mkdir(locked, 0o700)
    mkdir(locked + "/inner", 0o700)
    chmod(locked, 0)
    chdir(app.scratch.path)
    let name = String(repeating: "n", count: 200)
    for _ in 0..<60 where mkdir(name, 0o700) == 0 { chdir(name) }
  }
}
