// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Locking
import Pitfalls

/// Checks a student's file: compiles it, runs it in every case as often as the manifest says, judges each run.
public struct ExerciseChecker: Sendable {
  /// Space beyond the bodies that a run may need.
  private static let reserve = 16 << 20
  /// Beyond its limit a run takes the start of a process, and the reading of its results, of the server's log and of files.
  private static let aroundRun = 5
  private static let aroundAll = 10

  private struct TooLong: Error {}

  private let builder: ProgramBuilder
  private let timeout: Duration?
  private let sandbox: Sandbox
  private let executable: String
  private let version: String?
  private let compilations: Int

  /// A checker whose programs may run for `timeout`, or for as long as the manifest says. `executable` becomes the lesson
  /// server's process. Where the workbench's `version` is given, results keep the runs that decide, for drawings. A file that does not
  /// compile is compiled so often, for a mark must not rest on a moment of the machine's.
  public init(
    _ builder: ProgramBuilder, timeout: Duration? = nil, sandbox: Sandbox = .none,
    executable: String = "/proc/self/exe", keepingRunsOf version: String? = nil, compilations: Int = 1
  ) {
    self.compilations = compilations
    self.executable = executable
    self.version = version
    self.builder = builder
    self.timeout = timeout
    self.sandbox = sandbox
  }

  /// Checks the file at `path`.
  ///
  /// - Throws: `LessonKitError` when the machine lacks something; `CancellationError`. Whatever the
  ///   file and its program do is a result.
  public func check(_ exercise: Exercise, at path: String) async throws -> ExerciseResult {
    let file: StudentFile
    do {
      file = try StudentFile(reading: path)
    } catch {
      let isThere = FileStamp(path) != nil
      return ExerciseResult(exercise, isThere ? .notCompiled : .missing, why: Phrase(verbatim: error.description))
    }
    return try await check(exercise, file)
  }

  /// Checks this file.
  ///
  /// - Throws: as for the file at a path.
  func check(_ exercise: Exercise, _ file: StudentFile) async throws -> ExerciseResult {
    let began = ContinuousClock.now
    var result = try await unclocked(exercise, file)
    result.seconds = (ContinuousClock.now - began) / .seconds(1)
    return result
  }

  private func unclocked(_ exercise: Exercise, _ file: StudentFile) async throws -> ExerciseResult {
    if let refusal = AttributeRule.refusal(of: file.source) {
      return ExerciseResult(exercise, .notCompiled, why: refusal)
    }
    // Beside the list, for each takes a compiler's start; what is refused is never run.
    async let compiling = built(file)
    let modules = try await builder.modules(importedBy: file)
    if let refusal = modules.flatMap(ImportRule.refusal) {
      return ExerciseResult(exercise, .notCompiled, why: refusal)
    }
    let program: BuiltProgram
    switch try await compiling {
    case .success(let built): program = built
    case .failure(let error):
      var result = ExerciseResult(exercise, .notCompiled)
      (result.why, result.compiler) = ("the compiler refuses it", error.description)
      result.advice = file.advice(on: error.description)
      return result
    }
    // Without a list it is unknown what the program reaches. A file that does not compile was answered above.
    guard let modules else { return ExerciseResult(exercise, .notCompiled, why: ImportRule.unknown) }
    program.note(modules)
    if let finding = program.finding {
      return ExerciseResult(exercise, .notCompiled, why: ObjectRule.refusal(of: finding))
    }
    // It is started again and again, and until the last time no other grader may remove it.
    defer { withExtendedLifetime(program) {} }
    var result = try await run(program, file, exercise)
    result.compiler = program.warnings
    result.advice = file.advice() + (result.outcome == .passed ? [] : result.pitfalls.map(\.advice))
    return result
  }

  /// The program, or why there is none.
  private func built(_ file: StudentFile) async throws -> Result<BuiltProgram, LessonKitError> {
    var tries = 0
    while true {
      tries += 1
      do {
        return .success(try await builder.build(file))
      } catch let error as LessonKitError where error.code == .notCompiled || error.code == .noProgram {
        if tries >= compilations { return .failure(error) }
      }
    }
  }

  // MARK: - Running

  private func run(
    _ program: BuiltProgram, _ file: StudentFile, _ exercise: Exercise
  ) async throws -> ExerciseResult {
    let schedule = CaseSchedule(exercise.manifest, file.imports.contains(.session) ? .session : .connection)
    try Self.checkSpace(for: exercise.manifest)
    let (facts, begun) = (Locked<[RunFacts]>([]), Locked<RunReport?>(nil))
    let room = FolderLimit()
    var observer = observer(schedule, in: room) { next in facts.withLock { $0.append(next) } }
    observer.began = { report in if report.version != nil { begun.withLock { $0 = report } } }
    var options = RunOptions(bodyBytes: exercise.manifest.bodyBytes, timeout: timeout ?? exercise.manifest.limit)
    (options.limits, options.version) = (ProgramLimits(), version)
    let runner = Runner(
      executable: executable, program: program.executable, wrapper: sandbox.wrapper, places: program.places,
      observer: observer)
    let lesson = schedule.lesson
    let limit = Int((options.timeout / .seconds(1)).rounded(.up)) + Self.aroundRun
    let bound = lesson.examples.count * limit + Self.aroundAll
    do {
      try await Self.run(runner, lesson, options, within: room, for: .seconds(bound))
    } catch is TooLong {
      return ExerciseResult(exercise, .hung, why: "checking it took longer than \(bound) s in all")
    } catch is CancellationError {
      try Task.checkCancellation()
    }
    if let problem = schedule.problem { throw problem }
    guard !room.isExceeded else {
      return ExerciseResult(
        exercise, .overLimit,
        why: "it kept more than \(FolderLimit.bytes >> 30) GiB or \(FolderLimit.entries) files in its folder")
    }
    let all = facts.withLock { $0 }
    for run in all.map(\.run) { try Self.checkMachine(run) }
    return Self.judged(exercise, all, begun.withLock { $0 })
  }

  private func observer(
    _ schedule: CaseSchedule, in room: FolderLimit, _ ended: @escaping @Sendable (RunFacts) -> Void
  ) -> RunObserver {
    var observer = schedule.observer { next in
      ended(next)
      // A run that did not come to its end will not the next time; the other runs would only cost time.
      if Self.brokenOutcome(next.run) != nil { withUnsafeCurrentTask { $0?.cancel() } }
    }
    observer.prepared = { [prepared = observer.prepared, sandbox] example, folder in
      sandbox.makeHome(in: folder)
      prepared(example, folder)
      room.look(at: folder)
    }
    return observer
  }

  /// What the machine did to a program is no result of the program's.
  private static func checkMachine(_ run: ExampleRun) throws(LessonKitError) {
    if !run.shortage.isEmpty { throw LessonKitError(.environment, run.shortage) }
    if run.wasStarted, !run.wasKilled { return }
    throw LessonKitError(
      .environment,
      "The program could not be run to its end here: \(run.result.outcome.why). Has this machine enough "
        + "memory? workbench doctor names what it lacks.")
  }

  /// A full disk would fail a program that is right.
  private static func checkSpace(for manifest: ExerciseManifest) throws(LessonKitError) {
    let folder = FileManager.default.temporaryDirectory.path
    var space = statvfs()
    let isKnown = statvfs(folder, &space) == 0
    let free = Int(clamping: space.f_bavail.multipliedReportingOverflow(by: space.f_frsize).partialValue)
    // Twice the body: what is loaded, and what is sent or put together of parts.
    let needed = 2 * manifest.bodyBytes + reserve
    guard isKnown, free < needed else { return }
    throw LessonKitError(
      .environment,
      "\(folder) has \(ByteWords.text(free)) free, and \(manifest.id) needs \(ByteWords.text(needed)). Free some space "
        + "there, or set TMPDIR to a folder on another disk.")
  }

  /// Runs the lesson until it ends, its folder holds too much or the time for all is over, and leaves no folder.
  private static func run(
    _ runner: Runner, _ lesson: Lesson, _ options: RunOptions, within room: FolderLimit, for bound: Duration
  ) async throws {
    let outcome = await withTaskGroup(of: Result<Void, any Error>?.self) { group in
      group.addTask {
        do {
          try await Task.sleep(for: bound)
          return .failure(TooLong())
        } catch {
          return nil
        }
      }
      group.addTask {
        do {
          _ = try await runner.run([lesson], options)
          return .success(())
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        await room.watch()
        return nil
      }
      var outcome: Result<Void, any Error>?
      for await next in group {
        // A task that is cancelled because of the first has nothing to add.
        if outcome == nil { outcome = next }
        group.cancelAll()
      }
      return outcome ?? .success(())
    }
    await room.removeRemains()
    try outcome.get()
  }

  private static func judged(_ exercise: Exercise, _ facts: [RunFacts], _ begun: RunReport?) -> ExerciseResult {
    if let last = facts.last, let outcome = brokenOutcome(last.run) {
      var result = ExerciseResult(exercise, outcome, why: why(outcome, last.run))
      result.pitfalls = PitfallSeen.of(facts)
      result.runs = MeasuredRun.kept([(last, [])], of: exercise, begun)
      return result
    }
    var result = ExerciseResult(exercise, .failed)
    let judge = CheckJudge(exercise.manifest, facts)
    (result.checks, result.runs) = (judge.results, MeasuredRun.kept(judge.decidingRuns, of: exercise, begun))
    result.pitfalls = PitfallSeen.of(facts)
    if result.checks.allSatisfy(\.passed) { result.outcome = .passed }
    return result
  }

  /// The outcome of a run that did not come to its end; nil for one that did, whatever its loads did.
  private static func brokenOutcome(_ run: ExampleRun) -> ExerciseOutcome? {
    if run.exceeded != nil || run.requestsNotKept > 0 { return .overLimit }
    switch run.result.outcome.kind {
    case .timedOut: return .hung
    case .crashed: return .crashed
    default: return run.isForged ? .failed : run.wasMeasured ? nil : .exited
    }
  }

  private static func why(_ outcome: ExerciseOutcome, _ run: ExampleRun) -> Phrase {
    let limits = ProgramLimits()
    return switch run.exceeded {
    case .memory: "it took more than \(limits.memory >> 20) MiB of memory"
    case .threads: "it started more than \(limits.threads) threads"
    case .output: "it printed more than \(limits.output >> 20) MiB"
    case nil where run.requestsNotKept > 0: "it sent more requests than the lesson server keeps"
    case nil where outcome == .failed:
      "it used the pipe over which its measurements travel, so none of them counts; leave every descriptor alone "
        + "that the program did not open itself"
    case nil where outcome == .hung && run.result.traffic.bytesSent > 0:
      "\(run.result.outcome.why); it was still running after \(run.result.time.wall.hundredths) s, when the server "
        + "had sent \(ByteWords.text(run.result.traffic.bytesSent))"
    case nil: run.result.outcome.why
    }
  }
}
