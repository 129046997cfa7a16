// SPDX-License-Identifier: Apache-2.0
// Writes into every folder that it finds.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    let places = [
      "/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/etc", "/usr", "/root", "/home", "/run", app.scratch.path,
      app.scratch.deletingLastPathComponent().path, app.scratch.appendingPathComponent("../../..").path,
    ]
    for place in places {
      for number in 0..<20 {
        let file = open("\(place)/workbench-hostile-\(number)", O_WRONLY | O_CREAT, 0o777)
        write(file, "hostile\n", 8)
        close(file)
        mkdir("\(place)/workbench-hostile-folder-\(number)", 0o777)
      }
    }
  }
}
