// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

@Suite(.timeLimit(.minutes(4))) struct ExerciseScaffoldTests {
  private let home: TestFolder
  private let root = LessonText().root

  init() throws { home = try TestFolder() }

  @Test func `a new exercise is a course's, under its own name, with nothing wrong about it`() throws {
    let files = try ExerciseScaffold(named: "lesson-28-my-topic", lessons: root).write(to: home.url)
    #expect(files.count == 9 && files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
    let course = try ExerciseCourse(folder: home.url)
    let exercise = try course.exercise(named: "28")
    #expect(exercise.id == "lesson-28" && exercise.name == "lesson-28-my-topic")
    #expect(ExerciseInspection.faults(below: home.url).isEmpty)
    let own = try ExerciseScaffold(named: "my-topic", lessons: root).write(to: home.url)
    #expect(own.count == 9)
    #expect(try ExerciseCourse(folder: home.url).exercises.map(\.id) == ["lesson-28", "my-topic"])
    let names = try FileManager.default.contentsOfDirectory(atPath: home.url.appendingPathComponent("my-topic").path)
    #expect(names == ["exercise"], "nothing else is left there")
  }

  @Test func `nothing is written over`() throws {
    let file = try home.write("mine".utf8, to: "my-topic/exercise/exercise.yml")
    #expect(
      error("my-topic").description.contains("/my-topic/exercise” is there already; nothing was written over it."))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    _ = try ExerciseScaffold(named: "lesson-28-one", lessons: root).write(to: TestFolder().url)
    try FileManager.default.removeItem(atPath: file)
    _ = try ExerciseScaffold(named: "lesson-28-one", lessons: root).write(to: home.url)
    #expect(
      error("lesson-28-two").description.contains("“lesson-28-one” of this course has the id “lesson-28” already."))
  }

  @Test(arguments: ["28", "My-Topic", "a/b", "..", "", "my topic", "-a", String(repeating: "a", count: 65)])
  func `a name that is no good as a folder's is refused`(_ name: String) {
    #expect(error(name).code == .unknownName)
  }

  @Test func `a folder that cannot be written to, and files to begin with that are missing, are named`() throws {
    let blocked = error("my-topic", course: URL(fileURLWithPath: "/proc/nowhere"))
    #expect(blocked.code == .environment && blocked.description.contains("/proc/nowhere/my-topic"))
    #expect(error("my-topic", lessons: home.url).description.contains("Set WORKBENCH_LESSONS"))
  }

  private func error(_ name: String, course: URL? = nil, lessons: URL? = nil) -> LessonKitError {
    do throws(LessonKitError) {
      _ = try ExerciseScaffold(named: name, lessons: lessons ?? root).write(to: course ?? home.url)
      return LessonKitError(.notMeasured, "there was no error")
    } catch {
      return error
    }
  }
}
