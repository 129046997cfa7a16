// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Grades one submission: checks every exercise, some at a time, and hands on what is known after each.
public struct Grader: Sendable {
  private let checker: ExerciseChecker
  private let jobs: Int
  private let repetitions: Int

  /// A grader that checks up to `jobs` exercises at a time, each of them so often.
  public init(_ checker: ExerciseChecker, jobs: Int, repetitions: Int = 1) {
    self.checker = checker
    self.jobs = max(1, jobs)
    self.repetitions = max(1, repetitions)
  }

  /// The report before anything was checked: no exercise has a point.
  public static func pessimistic(_ exercises: [Exercise]) -> GradeReport {
    GradeReport(exercises.map { ExerciseResult($0, .notGraded, why: "it was not graded yet") })
  }

  /// Checks the exercises of a submission. `known` is called on the grader's own task with the report as it is after each. Where
  /// the machine lacks something, the exercise is not graded, and the others are.
  ///
  /// - Throws: what `known` throws; `CancellationError`.
  public func grade(
    _ exercises: [Exercise], of submission: Submission, known: @Sendable (GradeReport) throws -> Void
  ) async throws -> GradeReport {
    var report = Self.pessimistic(exercises)
    try await withThrowingTaskGroup(of: (Int, ExerciseResult).self) { group in
      var waiting = Array(exercises.enumerated())[...]
      func startNext() {
        guard let (index, exercise) = waiting.popFirst() else { return }
        group.addTask { (index, try await result(of: exercise, in: submission)) }
      }
      for _ in 0..<jobs { startNext() }
      while let (index, result) = try await group.next() {
        report.exercises[index] = result
        try known(report)
        startNext()
      }
    }
    return report
  }

  private func result(of exercise: Exercise, in submission: Submission) async throws -> ExerciseResult {
    guard let file = submission.file(of: exercise) else {
      return submission.lack(of: exercise)
    }
    let remark = submission.remark(on: exercise)
    var results: [ExerciseResult] = []
    do {
      for _ in 1...repetitions {
        var result = try await checker.check(exercise, at: file.path)
        if !remark.isEmpty { result.advice.insert(remark, at: 0) }
        results.append(result)
        if let undecided = ExerciseResult(undecidedBy: results) { return undecided }
      }
    } catch let error as LessonKitError {
      return ExerciseResult(exercise, .notGraded, why: error.phrase)
    }
    return results[results.count - 1]
  }
}
