// SPDX-License-Identifier: Apache-2.0
// Looks for what is not its own: other files, other processes, the environment of the grader.
// Outcome: failed
import Foundation
import Glibc
import LessonKit
import SessionAPI

enum Exercise {
  static func run(_ app: ExerciseContext) {
    var left = 100_000
    func look(_ folder: String) {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where left > 0 {
        left -= 1
        let path = folder + "/" + name
        if ["workbench-secret", "Solution.swift", "exercise.yml", "Exercise.swift"].contains(name) { seen(path) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
        if !["/proc", "/sys", "/usr"].contains(path) { look(path) }
      }
    }
    func seen(_ what: String) -> Never {
      print("seen:", what)
      exit(3)
    }
    if ProcessInfo.processInfo.environment["WORKBENCH_SECRET"] != nil { seen("environment") }
    for process in 1..<65536 {
      let words = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
      if words.contains("grade\0") { seen("a process") }
      let environment = (try? String(contentsOfFile: "/proc/\(process)/environ", encoding: .utf8)) ?? ""
      if environment.contains("WORKBENCH_SECRET") { seen("the environment of \(process)") }
    }
    look("")
  }
}
