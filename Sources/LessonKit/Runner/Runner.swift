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
  private let progress: @Sendable (RunProgress) -> Void
  private let interrupted: @Sendable (LessonRun) -> Void

  /// A runner whose children are `executable` with its hidden subcommands; `progress` is told what runs now, and
  /// `interrupted`, when a run does not come to its end, what was measured until then.
  public init(
    executable: String = "/proc/self/exe", progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
    interrupted: @escaping @Sendable (LessonRun) -> Void = { _ in }
  ) {
    self.interrupted = interrupted
    self.executable = URL(fileURLWithPath: executable).resolvingSymlinksInPath().path
    self.progress = progress
  }

  /// Runs the lessons' chosen examples.
  ///
  /// A hanging, crashing or failing example is a result, not an error.
  ///
  /// - Throws: `LessonKitError` when the machine lacks something or the server is lost; `CancellationError` after
  ///   cancellation, when server and children have ended.
  public func run(_ lessons: [Lesson], _ options: RunOptions) async throws -> LessonRun {
    signal(SIGPIPE, SIG_IGN)
    let folder = try ScratchFolder()
    defer { folder.remove() }
    var run = LessonRun(
      report: RunReport(
        machine: .current(), started: Date.now.formatted(.iso8601), bodyBytes: options.bodyBytes, lessons: []),
      surprises: [])
    return try await ServerProcess.use(executable: executable) { server in
      var estimate = RunEstimate(lessons.flatMap(options.chosen), repetitions: max(1, options.repetitions))
      let began = ContinuousClock.now
      for lesson in lessons {
        var runs: [ExampleRun] = []
        do {
          for (example, repetition) in options.schedule(of: lesson) {
            progress(estimate.progress(lesson, example, repetition, of: options.repetitions))
            let known = earlier(example, in: run)
            let next =
              if let known { known } else { try await self.run(example, of: lesson, options, server, folder) }
            if next.result.outcome.kind != example.expectedEnd {
              run.surprises.append("\(example.id) \(next.result.outcome.kind.words): \(next.result.outcome.why)")
            }
            runs.append(next)
            estimate.ended(example, after: (ContinuousClock.now - began) / .seconds(1))
          }
        } catch {
          if !runs.isEmpty { add(lesson, runs, to: &run) }
          if !run.report.lessons.isEmpty { interrupted(run) }
          throw error
        }
        add(lesson, runs, to: &run)
      }
      return run
    }
  }

  private func add(_ lesson: Lesson, _ runs: [ExampleRun], to run: inout LessonRun) {
    let results = RunResults(bodyBytes: run.report.bodyBytes, runs: runs)
    run.results[lesson.id] = results
    run.report.lessons.append(settle(lesson, runs, results))
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
    _ example: Example, of lesson: Lesson, _ options: RunOptions, _ server: ServerProcess, _ folder: ScratchFolder
  ) async throws -> ExampleRun {
    let scratch = try folder.makeSubfolder()
    defer { folder.remove(scratch) }
    let address = ExampleAddress(
      example.resource, bodyBytes: options.bodyBytes, seed: Self.seed, port: server.port, secure: server.securePorts)
    let limit = min(options.timeout, example.circumstances.limit ?? options.timeout)
    let seconds = limit / .seconds(1)
    let order = ExampleOrder(
      lesson: lesson.id, example: example.id, url: address.url,
      warmUpURL: ExampleAddress.warmUp(port: server.port), scratch: scratch,
      limit: max(seconds - Self.head, seconds / 2))
    let authorities = try folder.write(server.authority, named: "authority.pem")
    let child = ChildProcess(executable: executable, authorities: authorities)
    for _ in 1..<max(1, example.circumstances.launches) { _ = try await child.run(order, limit: limit) }
    let report = try await child.run(order, limit: limit, stop: example.circumstances.stop)
    let log = try await server.takeLog()
    let maker = ResultMaker(example: example, expected: address.expectedBody, limit: seconds)
    var run = maker.make(from: report, log)
    run.files = FileSeen.all(in: scratch, body: address.expectedBody)
    return run
  }

  private func settle(_ lesson: Lesson, _ runs: [ExampleRun], _ results: RunResults) -> LessonResult {
    let claims = lesson.claims.filter { $0.needs.allSatisfy(results.has) }.map { claim in
      ClaimResult(claim, settledFrom: results)
    }
    return LessonResult(id: lesson.id, title: lesson.title, examples: runs.map(\.result), claims: claims)
  }
}

extension ClaimResult {
  /// Settles a claim; a missing measurement leaves it unsettled and says which. Where the table expects nothing, any
  /// verdict that the measurement leads to is as expected.
  init(_ claim: Claim, settledFrom results: RunResults) {
    let expected = ClaimTable[claim.id]?.expected
    do {
      guard results.bodyBytes >= claim.leastBody else {
        throw LessonKitError(.notMeasured, "S = \(results.bodyBytes) bytes, too small for this claim")
      }
      let settled = try claim.settle(results)
      self.init(
        id: claim.id, verdict: settled.verdict, expected: expected ?? settled.verdict, measured: settled.measured,
        bound: settled.bound, explanation: settled.explanation)
    } catch {
      self.init(
        id: claim.id, verdict: .unsettled, expected: expected ?? .confirmed, measured: "\(error)",
        bound: results.bodyBytes < claim.leastBody ? "S of at least \(ByteCount(Int64(claim.leastBody)))" : "")
    }
  }
}

extension Outcome.Kind {
  /// The kind as the end of a sentence.
  public var words: String {
    switch self {
    case .finished: "finished"
    case .failed: "failed"
    case .timedOut: "ran into the time limit"
    case .crashed: "crashed"
    }
  }
}
