// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer

/// Runs lessons: one server process for all, one process for each example, one after the other, and settles the claims.
public struct Runner: Sendable {
  /// The seed of every body; the content is the same in every run.
  static let seed: UInt64 = 5
  /// How long before the parent's limit the child delivers what it has.
  private static let head = 0.75

  private let executable: String
  /// The executable of the examples' processes.
  private let program: String
  private let observer: RunObserver
  /// The command that starts a program within a sandbox, nil for none.
  private let wrapper: Wrapper?

  /// Makes a command that starts an executable so that it can write to the scratch folder and read the authorities' file.
  public typealias Wrapper = @Sendable (_ executable: String, _ scratch: String, _ authorities: String) -> [String]

  /// A runner whose children are `executable` with its hidden subcommands; `observer` is called as the run goes along.
  /// Where `program` is given, it is the executable of the examples' processes, and `executable` of the server's alone; `wrapper` then
  /// starts those processes within a sandbox.
  public init(
    executable: String = "/proc/self/exe", program: String? = nil, wrapper: Wrapper? = nil,
    observer: RunObserver = RunObserver()
  ) {
    self.wrapper = wrapper
    self.executable = URL(fileURLWithPath: executable).resolvingSymlinksInPath().path
    self.program = program ?? self.executable
    self.observer = observer
  }

  /// Runs the lessons' chosen examples.
  ///
  /// A hanging, crashing or failing example is a result, not an error.
  ///
  /// - Throws: `LessonKitError` when the machine lacks something or the server is lost; `CancellationError` after
  ///   cancellation, when server and children have ended. In both cases the observer has the partial run.
  public func run(_ lessons: [Lesson], _ options: RunOptions) async throws -> LessonRun {
    signal(SIGPIPE, SIG_IGN)
    let folder = try ScratchFolder()
    defer { folder.remove() }
    var report = RunReport(
      machine: .current(), started: Date.now.formatted(.iso8601), bodyBytes: options.bodyBytes, lessons: [])
    report.version = options.version
    observer.began(report)
    let begun = report
    return try await ServerProcess.use(executable: executable) { server in
      var course = Course(
        run: LessonRun(report: begun, surprises: []),
        estimate: RunEstimate(lessons.flatMap(options.chosen), repetitions: max(1, options.repetitions)))
      do {
        for lesson in lessons { try await self.run(lesson, options, server, folder, &course) }
      } catch {
        course.run.report.partial = true
        observer.interrupted(course.run)
        throw error
      }
      return course.run
    }
  }

  /// A run under way.
  private struct Course {
    var run: LessonRun
    var estimate: RunEstimate
    let began = ContinuousClock.now
  }

  private func run(
    _ lesson: Lesson, _ options: RunOptions, _ server: ServerProcess, _ folder: ScratchFolder, _ course: inout Course
  ) async throws {
    var runs: [ExampleRun] = []
    observer.lessonBegan(lesson)
    do {
      for (example, repetition) in options.schedule(of: lesson) {
        observer.progress(course.estimate.progress(lesson, example, repetition, of: options.repetitions))
        let known = earlier(example, in: course.run)
        let limit = options.limit(of: example, after: runs.map(\.result))
        let next = if let known { known } else { try await run(example, of: lesson, limit, options, server, folder) }
        if next.result.outcome.kind != example.expectedEnd, example.substitute == nil {
          course.run.surprises.append("\(lesson.id) \(example.id) \(next.result.outcome.sentence)")
        }
        runs.append(next)
        observer.ran(next)
        course.estimate.ended(example, after: (ContinuousClock.now - course.began) / .seconds(1))
        observer.ended(lesson, next.result)
      }
    } catch {
      if !runs.isEmpty { add(lesson, runs, incomplete: true, to: &course.run) }
      throw error
    }
    add(lesson, runs, incomplete: false, to: &course.run)
  }

  private func add(_ lesson: Lesson, _ runs: [ExampleRun], incomplete: Bool, to run: inout LessonRun) {
    let results = RunResults(bodyBytes: run.report.bodyBytes, runs: runs)
    run.results[lesson.id] = results
    var result = settle(lesson, runs, results)
    result.incomplete = incomplete
    run.report.lessons.append(result)
    observer.lessonEnded(result)
  }

  /// What this run has measured of a borrowed example, when it ended as it should.
  private func earlier(_ example: Example, in run: LessonRun) -> ExampleRun? {
    guard let origin = example.origin, var found = try? run.results[origin.lesson]?.first(origin.example) else {
      return nil
    }
    found.result.id = example.id
    return found
  }

  private func run(
    _ example: Example, of lesson: Lesson, _ limit: Duration, _ options: RunOptions, _ server: ServerProcess,
    _ folder: ScratchFolder
  ) async throws -> ExampleRun {
    if let refused = ResultMaker.refused(example) { return refused }
    let scratch = try folder.makeSubfolder()
    defer { folder.remove(scratch) }
    for (name, text) in example.circumstances.files { try folder.write(text, named: name, in: scratch) }
    let seed = example.circumstances.seed ?? Self.seed
    observer.prepared(example, scratch)
    let address = ExampleAddress(
      options.resource ?? example.resource, bodyBytes: options.bodyBytes, seed: seed, port: server.port,
      secure: server.securePorts)
    let seconds = limit / .seconds(1)
    let invocation = ExampleInvocation(
      lesson: lesson.id, example: example.id, url: address.url,
      warmUpURL: ExampleAddress.warmUp(port: server.port), scratch: scratch, fileLimit: options.fileLimit,
      touch: example.circumstances.touch, limits: options.limits,
      program: example.substitute?.program, aftermath: example.circumstances.aftermath / .seconds(1),
      limit: max(seconds - Self.head, seconds / 2))
    let authorities = try folder.write(server.authority, named: "authority.pem")
    let child = ChildProcess(
      executable: example.substitute?.executable ?? program, authorities: authorities,
      wrapper: wrapper?(program, scratch, authorities) ?? [])
    for _ in 1..<max(1, example.circumstances.launches) {
      _ = try await child.run(invocation, limit: limit)
      try await Task.sleep(for: example.circumstances.absence)
    }
    let report = try await child.run(invocation, limit: limit, stop: example.circumstances.stop)
    let log = try await server.takeLog()
    let maker = ResultMaker(
      example: example, expected: address.expectedBody, bodyBytes: options.bodyBytes, seed: seed, limit: seconds)
    let files = FileSeen.all(in: scratch, body: address.expectedBody, limits: options.limits)
    return maker.make(from: report, log, files: files)
  }

  private func settle(_ lesson: Lesson, _ runs: [ExampleRun], _ results: RunResults) -> LessonResult {
    let witness = ToolchainWitness(lesson, runs, bodyBytes: results.bodyBytes)
    var result = LessonResult(
      id: lesson.id, title: lesson.title, examples: runs.map(\.result), claims: settle(lesson.claims, results, witness))
    result.checks = settle(lesson.checks, results, witness)
    result.shows = lesson.shows
    result.pairs = lesson.pairs.filter { results.has($0.connection) && results.has($0.session) }
    return result
  }

  private func settle(_ claims: [Claim], _ results: RunResults, _ witness: ToolchainWitness?) -> [ClaimResult] {
    claims.filter { $0.needs.allSatisfy(results.has) }.map { ClaimResult($0, settledFrom: results, witness) }
  }
}

extension ClaimResult {
  /// Settles a claim; a missing measurement leaves it unsettled and says which. Where the table expects nothing, any
  /// verdict that the measurement leads to is as expected. Where the toolchain's column comes to the same verdict, that is the
  /// evidence.
  init(_ claim: Claim, settledFrom results: RunResults, _ witness: ToolchainWitness? = nil) {
    let row = ClaimTable[claim.id]
    let settled = Self.settlement(of: claim, from: results)
    self.init(
      id: claim.id, verdict: settled.verdict, expected: row?.expected ?? settled.verdict, evidence: row?.evidence,
      findings: settled.findings, explanation: settled.explanation)
    sameAs = row?.sameAs
    tooSmall = results.bodyBytes < claim.leastBody
    toolchain = witness?.verdict(on: claim, settledAs: settled)
    if toolchain?.verdict == verdict { evidence = .toolchain }
  }

  private static func settlement(of claim: Claim, from results: RunResults) -> Settlement {
    guard results.bodyBytes >= claim.leastBody else {
      return Settlement(
        .unsettled, measured: "not settled with this size",
        bound: "--size \(ByteCount(Int64(claim.leastBody))) or more")
    }
    do {
      return try claim.settle(results)
    } catch {
      let why = (error as? LessonKitError)?.phrase ?? Phrase(verbatim: "\(error)")
      return Settlement(.unsettled, measured: why, bound: "")
    }
  }
}
