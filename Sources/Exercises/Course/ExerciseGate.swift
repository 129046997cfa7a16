// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit
import Pitfalls

/// The conditions that every exercise must meet before students get it.
public struct ExerciseGate: Sendable {
  /// Something that is not in order.
  public struct Fault: Sendable, Hashable {
    /// The exercise's id.
    public var exercise: String
    /// The fault, in a sentence.
    public var sentence: Phrase
  }

  private let checker: ExerciseChecker
  private let rules: FormatRules
  private let repetitions: Int

  /// A gate that runs each program so often.
  public init(_ checker: ExerciseChecker, rules: FormatRules, repetitions: Int = 3) {
    self.checker = checker
    self.rules = rules
    self.repetitions = repetitions
  }

  /// How many faults these exercises have, so many looked at together; `known` is called with those of each one when it is
  /// over, on this task.
  ///
  /// - Throws: as `ExerciseChecker.check`; what `known` throws.
  public func faults(
    of exercises: [Exercise], atATime jobs: Int, known: @Sendable (Exercise, [Fault]) throws -> Void
  ) async throws -> Int {
    try await withThrowingTaskGroup(of: (Exercise, [Fault]).self) { group in
      var waiting = exercises[...]
      func startNext() {
        guard let exercise = waiting.popFirst() else { return }
        group.addTask { (exercise, try await faults(of: exercise)) }
      }
      for _ in 0..<jobs { startNext() }
      var count = 0
      while let (exercise, faults) = try await group.next() {
        count += faults.count
        try known(exercise, faults)
        startNext()
      }
      return count
    }
  }

  /// Everything about the exercise that is not in order.
  ///
  /// - Throws: as `ExerciseChecker.check`.
  public func faults(of exercise: Exercise) async throws -> [Fault] {
    var sentences = ExerciseInspection.faults(of: exercise).map(\.sentence)
    sentences += try await rules.faults(of: exercise, exercise.programs)
    sentences += try await pointsForNothing(exercise)
    sentences += try await failing(Exercise.fileName, by: exercise.manifest.failsBy, exercise, mayWarn: false)
    for (name, reason) in exercise.manifest.misses.sorted(by: { $0.key < $1.key }) {
      sentences += try await failing("Misses/\(name)", by: reason, exercise, mayWarn: true)
    }
    let rights = exercise.manifest.rights.map { "Rights/\($0)" }
    for file in [Exercise.solution] + rights { sentences += try await passing(file, exercise) }
    return sentences.map { Fault(exercise: exercise.id, sentence: $0) }
  }

  private func passing(_ file: String, _ exercise: Exercise) async throws -> [Phrase] {
    for number in 1...max(1, repetitions) {
      let result = try await checker.check(exercise, at: exercise.path(of: file))
      if result.outcome != .passed {
        return ["\(file), run \(number) of \(repetitions): \(Self.words(result))"]
      }
      if let fault = Self.undeclared(result, of: file, exercise) { return [fault] }
      if number == 1, file == Exercise.solution, !result.compiler.isEmpty { return ["the compiler warns of \(file)"] }
    }
    return []
  }

  /// A program that does nothing comes to its end and gets no points: what it does not need it must not be paid for.
  private func pointsForNothing(_ exercise: Exercise) async throws -> [Phrase] {
    let api: StudentFile.API = exercise.manifest.sides.contains(.session) ? .session : .connection
    let idle = StudentFile(path: Exercise.fileName, source: ProgramTemplate.idle(importing: api))
    let result = try await checker.check(exercise, idle)
    guard result.outcome == .failed || result.outcome == .passed else {
      return ["a program that does nothing should come to its end: \(Self.words(result))"]
    }
    return result.checks.filter(\.passed).map { check in
      "\(Exercise.manifestName): a program that does nothing gets \(check.points) points by “\(check.id)”; let them count "
        + "only together with a check that the job was done, such as with: [file]"
    }
  }

  /// What the program as it is handed out fulfils earns nothing: the work is what it lacks.
  private static func pointsForTheStart(_ result: ExerciseResult, _ exercise: Exercise) -> Phrase? {
    let held = result.checks.filter { $0.passed || $0.waitsFor != nil }.map(\.id)
    if let missed = exercise.manifest.start.sorted().first(where: { !held.contains($0) }) {
      return "\(Exercise.fileName) does not pass “\(missed)”, which `start` names"
    }
    guard result.score * 10 > exercise.manifest.points else { return nil }
    let all = Phrase(verbatim: held.joined(separator: ", "))
    return
      "\(Exercise.fileName) gets \(result.score) of \(result.points) points as it is handed out, and a tenth at most is right; "
      + "let what it passes count only together with what it fails, by start: [\(all)]"
  }

  private func failing(
    _ file: String, by reason: String, _ exercise: Exercise, mayWarn: Bool
  ) async throws -> [Phrase] {
    for number in 1...max(1, repetitions) {
      let result = try await check(file, exercise)
      let failed = result.checks.filter { !$0.passed && $0.waitsFor == nil }.map(\.id)
      if !failed.contains(reason) && result.outcome.rawValue != reason {
        return ["\(file), run \(number) of \(repetitions), should fail by “\(reason)”: \(Self.words(result))"]
      }
      if file == Exercise.fileName, let fault = Self.pointsForTheStart(result, exercise) { return [fault] }
      if let fault = Self.undeclared(result, of: file, exercise) { return [fault] }
      if !mayWarn, !result.compiler.isEmpty, result.outcome != .notCompiled {
        return ["the compiler warns of \(file)"]
      }
    }
    return []
  }

  /// How the pitfalls that these runs show differ from those that the manifest declares of the file; nil where they do not.
  private static func undeclared(_ result: ExerciseResult, of file: String, _ exercise: Exercise) -> Phrase? {
    let declared = exercise.manifest.pitfalls[file] ?? []
    let seen = Set(result.pitfalls.map(\.pitfall))
    let wrong = result.pitfalls.filter { $0.grade == .wrong }.map(\.pitfall)
    guard !declared.isSubset(of: seen) || !declared.isSuperset(of: wrong) else { return nil }
    let words = { (pitfalls: Set<Pitfall>) in
      Phrase(verbatim: pitfalls.isEmpty ? "–" : pitfalls.map(\.rawValue).sorted().joined(separator: ", "))
    }
    return "\(file) should have these pitfalls: \(words(declared)); its runs show: \(words(seen))"
  }

  /// Checks a program that is to fail. An edit that fits nowhere is a result, too.
  private func check(_ file: String, _ exercise: Exercise) async throws -> ExerciseResult {
    let path = exercise.path(of: file)
    guard exercise.edit(making: file) != nil else { return try await checker.check(exercise, at: path) }
    let source: String
    do {
      source = try exercise.text(of: file)
    } catch {
      return ExerciseResult(exercise, .missing, why: error.phrase)
    }
    return try await checker.check(exercise, StudentFile(path: path, source: source))
  }

  private static func words(_ result: ExerciseResult) -> Phrase {
    let failed = result.checks.filter { !$0.passed }.map { "\($0.id): \($0.measured)" as Phrase }
    return ([result.outcome.words, result.why, Phrase(verbatim: result.compiler)] + failed).joined("; ")
  }
}
