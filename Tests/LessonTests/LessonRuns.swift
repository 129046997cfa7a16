// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons

/// The lessons as the built executable runs them, each once for all tests, one after the other.
actor LessonRuns {
  static let shared = LessonRuns()

  /// Large enough for every claim: well above the 4 MiB that a flat program may grow by.
  static let bodyBytes = 16 << 20
  static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("workbench").path

  private var runs: [Int: Task<LessonRun, any Error>] = [:]
  private var last: Task<LessonRun, any Error>?

  /// The run of the lesson of that number.
  func run(_ number: Int) async throws -> LessonRun {
    if let known = runs[number] { return try await known.value }
    let lesson = try Course.catalog.lesson(named: "\(number)")
    let task = Task { [last] in
      _ = await last?.result
      return try await Runner(executable: Self.executable).run([lesson], RunOptions(bodyBytes: Self.bodyBytes))
    }
    runs[number] = task
    last = task
    return try await task.value
  }

  /// A run of one example of a lesson under other options, whatever its end: against a server that fails, say.
  nonisolated static func run(_ id: String, of number: Int, _ options: RunOptions) async throws -> ExampleRun {
    var options = options
    options.examples = [id]
    let lesson = try Course.catalog.lesson(named: "\(number)")
    let results = try await Runner(executable: executable).run([lesson], options).results[lesson.id]
    guard let run = results?.anyEnd(of: id) else { throw LessonKitError(.notMeasured, "\(id) was not run") }
    return run
  }

  /// A run of that lesson with these options, after the runs that were asked for before.
  func run(_ number: Int, _ options: RunOptions) async throws -> LessonRun {
    let lesson = try Course.catalog.lesson(named: "\(number)")
    let task = Task { [last] in
      _ = await last?.result
      return try await Runner(executable: Self.executable).run([lesson], options)
    }
    last = task
    return try await task.value
  }

  /// The one run of an example of that lesson.
  func example(_ id: String, of number: Int) async throws -> ExampleRun {
    let lesson = number < 10 ? "lesson-0\(number)" : "lesson-\(number)"
    guard let results = try await run(number).results[lesson] else {
      throw LessonKitError(.notMeasured, "\(lesson) has no results")
    }
    return try results.first(id)
  }
}
