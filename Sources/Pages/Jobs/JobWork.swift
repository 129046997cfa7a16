// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
public import LessonKit
import Locking
import Reports

/// The child's side of a job: does what was ordered and says how it goes.
public struct JobWork: Sendable {
  private let lessons: [Lesson]
  private let version: String
  private let tell: @Sendable (JobEvent) -> Void

  /// The work of a child that knows `lessons` and tells what happens.
  public init(lessons: [Lesson], version: String, tell: @escaping @Sendable (JobEvent) -> Void) {
    (self.lessons, self.version, self.tell) = (lessons, version, tell)
  }

  /// Does it.
  ///
  /// - Throws: `CancellationError`, after what was measured until then has been stored; what a run or a check throws, which
  ///   has been told before.
  public func run(_ order: JobRequest) async throws {
    do {
      switch order {
      case .run(let order): try await run(order)
      case .check(let order): try await check(order)
      }
    } catch let error as LessonKitError {
      tell(.failed(error.phrase))
      throw error
    }
  }

  // MARK: - A run

  private func run(_ order: RunOrder) async throws {
    let chosen = try order.lessons.map { try LessonCatalog(lessons).lesson(named: $0) }
    try LessonCatalog.checkExamples(order.examples, in: chosen)
    let runs = RunFolder(path: order.folder)
    try runs.prepare()
    var options = RunOptions(bodyBytes: order.bodyBytes, examples: order.examples)
    options.version = version
    let broken = Locked<RunReport?>(nil)
    var observer = RunObserver()
    observer.progress = { [tell] in tell(.progress(words: $0.words, done: $0.done, total: $0.total)) }
    observer.ended = { [tell] lesson, example in
      var row = ExampleRow(example, about: chosen.count == 1 ? lesson.subject : nil)
      // Among several lessons an example's own name may stand twice.
      if chosen.count > 1 { row.id = "\(lesson.id) \(row.id)" }
      tell(.row(row))
    }
    observer.interrupted = { run in broken.withLock { $0 = run.report } }
    do {
      let report = try await Runner(observer: observer).run(chosen, options).report
      let judgement = order.answer.flatMap { answer in
        chosen.first.flatMap { lesson in
          lesson.prediction.map { PredictionJudgement.of(answer, to: $0, in: lesson.id, of: report) }
        }
      }
      tell(.stored(id: try runs.store(report, isPart: !order.examples.isEmpty), judgement: judgement))
    } catch {
      if let report = broken.withLock({ $0 }), !report.lessons.isEmpty {
        tell(.stored(id: try runs.store(report, isPart: !order.examples.isEmpty), judgement: nil))
      }
      throw error
    }
  }

  // MARK: - A check

  private func check(_ order: CheckOrder) async throws {
    let course = try ExerciseCourse(folder: URL(fileURLWithPath: order.course, isDirectory: true))
    let exercise = try course.exercise(named: order.exercise)
    let student = StudentFolder(order.student)
    tell(.progress(words: "checking \(exercise.id)", done: 0, total: 1))
    let checker = ExerciseChecker(try ProgramBuilder(built: BuiltWorkbench()), keepingRunsOf: version)
    let result = try await checker.check(exercise, at: student.file(of: exercise).path)
    // First of all the student's: a folder that takes no notes must not cost them the result.
    tell(.checked(CheckReport(result)))
    try student.checked(exercise, passed: result.outcome == .passed)
    guard order.wantsGoodExample, result.checks.contains(where: { $0.mark != nil }) else { return }
    do {
      try await compare(exercise)
    } catch is LessonKitError {
      // It costs the drawing beside the student's, not the result.
    }
  }

  /// Runs the lesson's good example with a body of the exercise's size. A teacher's own exercise may have no lesson.
  private func compare(_ exercise: Exercise) async throws {
    guard let lesson = lessons.first(where: { $0.id == exercise.id })?.withGoodExampleAlone else { return }
    tell(.progress(words: "running the lesson’s good example", done: 0, total: 1))
    var options = RunOptions(bodyBytes: exercise.manifest.bodyBytes)
    options.version = version
    let report = try await Runner().run([lesson], options).report
    if let example = report.lessons.first?.examples.first, let run = MeasuredRun(example, on: exercise, report) {
      tell(.compared(exercise: exercise.id, run))
    }
  }
}

extension CheckReport {
  init(_ result: ExerciseResult) {
    exercise = result.id
    outcome = result.outcome.words
    passed = result.outcome == .passed
    (why, score, points) = (result.why, result.score, result.points)
    (compiler, advice) = (result.compiler, result.advice)
    checks = result.checks.map {
      Check(
        id: $0.id, title: $0.title, passed: $0.passed, wanted: $0.wanted, measured: $0.measured, mark: $0.mark)
    }
    runs = result.runs
  }
}
