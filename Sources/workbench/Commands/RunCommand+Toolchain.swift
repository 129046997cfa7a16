// SPDX-License-Identifier: Apache-2.0
import Exercises
import LessonKit
import Lessons

extension RunCommand {
  /// The lessons, with the toolchain's column where it was asked for. Its programs are compiled here.
  func withToolchain(_ lessons: [Lesson]) async throws -> [Lesson] {
    guard withFoundation else { return lessons }
    let line = ProgressLine()
    let say = terminal.messages.catalogue
    let column = ToolchainColumn(of: Course.catalog.lessons, below: LessonText().root)
    return try await Interruption.cancelling { [options] in
      defer { line.clear() }
      return try await column.added(to: lessons, options) { lesson, done, total in
        let words: Phrase =
          "compiling the Session examples of \(lesson) for the toolchain’s URLSession (\(done + 1) of \(total))"
        line.show(say(words))
      }
    }
  }
}
