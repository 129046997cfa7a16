// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import LessonServer
import Locking

/// The runs of an exercise: each case as often as the manifest says, each run with a seed of its own that neither program nor
/// address has, so that no answer can be written down without loading it.
struct CaseSchedule: Sendable {
  private struct Planned: Sendable {
    var caseID: String
    var seed: UInt64
    var bytes: Int
    var own: ExerciseCase
    var example: Example
  }

  private let planned: [Planned]
  private let lacking = Locked<LessonKitError?>(nil)

  /// Why a run did not get what its case says; nil where nothing was in the way.
  var problem: LessonKitError? { lacking.withLock { $0 } }

  /// The runs by which a program of this side is checked.
  init(_ manifest: ExerciseManifest, _ side: Side) {
    planned = (1...manifest.repetitions).flatMap { number in
      manifest.cases.map { each in
        let (seed, token) = (UInt64.random(in: 1...1 << 62), UInt64.random(in: 1...1 << 62))
        let bytes = manifest.bodyBytes - .random(in: 0...manifest.shorterBy)
        return Planned(
          caseID: each.id, seed: seed, bytes: bytes, own: each,
          example: each.example(side, number: number, bytes: bytes, seed: seed, token: token))
      }
    }
  }

  /// The lesson by which the runner runs them.
  var lesson: Lesson {
    Lesson(number: 0, slug: "exercise", title: "", minutes: 0, examples: planned.map(\.example), claims: [])
  }

  /// An observer that counts openings of files and hands on the facts of each run.
  func observer(_ ended: @escaping @Sendable (RunFacts) -> Void) -> RunObserver {
    let watch = Locked<FolderWatch?>(nil)
    var observer = RunObserver()
    observer.prepared = { example, folder in
      if let plan = planned.first(where: { $0.example.id == example.id }) { prepare(plan, folder) }
      watch.withLock { $0 = FolderWatch(folder) }
    }
    observer.ran = { run in
      let opens = watch.withLock { $0?.take() }
      guard let plan = planned.first(where: { $0.example.id == run.result.id }) else { return }
      ended(RunFacts(run: run, caseID: plan.caseID, bodyBytes: plan.bytes, seed: plan.seed, opens: opens))
    }
    return observer
  }

  /// Writes the files that a case finds. What stands in the way ends the check when the run is over.
  private func prepare(_ plan: Planned, _ folder: String) {
    do throws(LessonKitError) {
      try Self.write(plan.own, of: plan.bytes, seed: plan.seed, to: folder)
    } catch {
      lacking.withLock { $0 = error }
    }
  }

  /// Writes the files that hold a run's body, and those with remains, whose bytes are others.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the disk does not take one.
  static func write(_ own: ExerciseCase, of bytes: Int, seed: UInt64, to folder: String) throws(LessonKitError) {
    let bodies = own.bodies.map { ($0, seed, bytes) }
    for (name, seed, bytes) in bodies + own.remains.map({ ($0.key, seed &+ 2, $0.value) }) {
      let file = "\(folder)/\(name)"
      do {
        try Data(SeededBody(seed: seed).bytes(0..<Int64(bytes))).write(to: URL(fileURLWithPath: file))
      } catch {
        throw LessonKitError(
          .environment,
          "The file \(file) could not be written: \(error.localizedDescription). Is there space on that disk?")
      }
    }
  }
}

/// Judges the checks of a manifest from the facts of all runs.
struct CheckJudge {
  private typealias Decision = (facts: RunFacts, judgement: Judgement)

  private let manifest: ExerciseManifest
  /// True if in a run neither library told of a load.
  private let isWithoutLoads: Bool
  /// Each check with the first run in which it does not hold, else the last one; nil where it looks at no run.
  private let decisions: [(check: ExerciseCheck, decision: Decision?)]

  init(_ manifest: ExerciseManifest, _ facts: [RunFacts]) {
    self.manifest = manifest
    isWithoutLoads = facts.contains { $0.run.recording.loads.isEmpty }
    decisions = manifest.checks.map { check in
      let judged = facts.filter { check.onlyIn == nil || check.onlyIn == $0.caseID }
        .map { (facts: $0, judgement: check.rule.judge($0)) }
      return (check, judged.first { !$0.judgement.holds } ?? judged.last)
    }
  }

  /// The runs that decide on checks that do not hold, or on all checks where each holds, with the ids of these checks.
  var decidingRuns: [(facts: RunFacts, checks: [String])] {
    let known = decisions.compactMap { check, decision in decision.map { (id: check.id, decision: $0) } }
    let missed = known.filter { !$0.decision.judgement.holds }
    var runs: [(facts: RunFacts, checks: [String])] = []
    for (id, decision) in missed.isEmpty ? known : missed {
      if let index = runs.firstIndex(where: { $0.facts.run.result.id == decision.facts.run.result.id }) {
        runs[index].checks.append(id)
      } else {
        runs.append((decision.facts, [id]))
      }
    }
    return runs
  }

  /// One result for each check, in the manifest's order.
  var results: [CheckResult] {
    let alone = decisions.map(result)
    let failed = Set(alone.filter { !$0.passed }.map(\.id))
    let counted = zip(manifest.checks, alone).map { check, result in
      result.passed ? check.with.first(where: failed.contains).map(result.waiting) ?? result : result
    }
    // An exercise is about two APIs: what is loaded without them is no answer, however right it is.
    if isWithoutLoads {
      return counted.map { $0.passed ? $0.missed("no load of NSURLConnection or URLSession was seen") : $0 }
    }
    let work = alone.filter { !manifest.start.contains($0.id) }
    guard let first = work.first, !work.contains(where: \.passed) else { return counted }
    return counted.map { $0.passed ? $0.waiting(for: first.id) : $0 }
  }

  /// The check by itself.
  private func result(_ check: ExerciseCheck, _ decisive: Decision?) -> CheckResult {
    var measured = decisive?.judgement.measured ?? "nothing was measured"
    if manifest.cases.count > 1, check.onlyIn == nil, let decisive {
      measured = "\(measured) (\(Phrase(verbatim: decisive.facts.caseID)))"
    }
    let isMissed = decisive?.judgement.holds == false
    return CheckResult(
      id: check.id, title: check.rule.title, passed: decisive?.judgement.holds ?? false, wanted: check.rule.wanted,
      measured: measured, outside: check.isOutside, points: check.points,
      mark: isMissed ? decisive.flatMap { (check.rule as? any DrawnCheck)?.mark($0.facts) } : nil)
  }
}
