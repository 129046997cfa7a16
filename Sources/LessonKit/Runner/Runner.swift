// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Runs lessons, one process for each example, and settles the claims. A server process serves one example after the other:
/// what its log has is that example's alone. Of examples that run at the same time each has a server of its own.
public struct Runner: Sendable {
  private let executable: String
  /// The executable of the examples' processes.
  private let program: String
  private let observer: RunObserver
  /// The command that starts a program within a sandbox, nil for none.
  private let wrapper: Wrapper?
  private let places: TrapPlace.Finder?

  /// Makes a command that starts an executable so that it can write to the scratch folder and read the authorities' file.
  public typealias Wrapper = @Sendable (_ executable: String, _ scratch: String, _ authorities: String) -> [String]

  /// A runner whose children are `executable` with its hidden subcommands; `observer` is called as the run goes along.
  /// Where `program` is given, it is the executable of the examples' processes, and `executable` of the server's alone; `wrapper` then
  /// starts those processes within a sandbox, and `places` finds the lines at which they end themselves.
  public init(
    executable: String = "/proc/self/exe", program: String? = nil, wrapper: Wrapper? = nil,
    places: TrapPlace.Finder? = nil, observer: RunObserver = RunObserver()
  ) {
    self.wrapper = wrapper
    self.places = places
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
    let jobs = options.jobs(of: lessons)
    try folder.space(for: lessons.flatMap(options.chosen), bodyBytes: options.bodyBytes, jobs: jobs).require()
    return try await ServerProcess.use(jobs, executable: executable) { servers in
      var course = Course(
        run: LessonRun(report: begun, surprises: []), options: options, folder: folder,
        estimate: RunEstimate(lessons.flatMap(options.chosen), repetitions: max(1, options.repetitions), jobs: jobs))
      do {
        for lesson in lessons { try await self.run(lesson, servers, &course) }
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
    let options: RunOptions
    let folder: ScratchFolder
    var estimate: RunEstimate
    let began = ContinuousClock.now
  }

  private func run(_ lesson: Lesson, _ servers: [ServerProcess], _ course: inout Course) async throws {
    var queue = RunQueue(course.options.schedule(of: lesson), jobs: servers.count)
    observer.lessonBegan(lesson)
    do {
      try await run(&queue, of: lesson, servers, &course)
    } catch {
      for ended in queue.brokeOff() { tell(of: ended, lesson, &course.run) }
      if !queue.runs.isEmpty { add(lesson, queue.runs, incomplete: true, to: &course.run) }
      throw error
    }
    add(lesson, queue.runs, incomplete: false, to: &course.run)
  }

  private func run(
    _ queue: inout RunQueue, of lesson: Lesson, _ servers: [ServerProcess], _ course: inout Course
  ) async throws {
    try await withThrowingTaskGroup(of: (turn: Int, report: ChildReport).self) { group in
      var idle = servers
      var busy: [Int: (job: ExampleJob, server: ServerProcess)] = [:]
      while true {
        while let turn = queue.next() {
          let example = queue[turn].example
          if let known = earlier(example, in: course.run) ?? ResultMaker.refused(example) {
            end(turn, known, &queue, lesson, &course)
          } else if let server = idle.popLast() {
            let job = try job(example, of: lesson, after: queue.runs, server, course)
            if let unable = job.withoutRoom {
              idle.append(server)
              course.folder.remove(job.scratch)
              end(turn, unable, &queue, lesson, &course)
              continue
            }
            if let token = example.circumstances.token { try await server.hide(job.seed, behind: token) }
            busy[turn] = (job, server)
            group.addTask { (turn, try await job.run()) }
          }
        }
        if !queue.running.isEmpty {
          observer.progress(course.estimate.progress(lesson, queue.running, of: course.options.repetitions))
        }
        guard let ended = try await group.next(), let (job, server) = busy.removeValue(forKey: ended.turn) else {
          break
        }
        let run = job.result(of: ended.report, try await server.takeLog())
        course.folder.remove(job.scratch)
        idle.append(server)
        end(ended.turn, run, &queue, lesson, &course)
      }
    }
  }

  private func end(_ turn: Int, _ run: ExampleRun, _ queue: inout RunQueue, _ lesson: Lesson, _ course: inout Course) {
    course.estimate.ended(queue[turn].example, after: (ContinuousClock.now - course.began) / .seconds(1))
    for ended in queue.ended(turn, with: run) { tell(of: ended, lesson, &course.run) }
  }

  private func tell(of ended: RunQueue.Ended, _ lesson: Lesson, _ run: inout LessonRun) {
    let (example, result) = (ended.example, ended.run.result)
    let shortage = ended.run.shortage
    if result.outcome.kind != example.expectedEnd || !shortage.isEmpty, example.substitute == nil {
      run.surprises.append(
        "\(lesson.id) \(example.id) \(shortage.isEmpty ? result.outcome.sentence : "had no room: \(shortage)")")
    }
    observer.ran(ended.run)
    observer.ended(lesson, result)
  }

  private func add(_ lesson: Lesson, _ runs: [ExampleRun], incomplete: Bool, to run: inout LessonRun) {
    let results = RunResults(bodyBytes: run.report.bodyBytes, runs: runs)
    run.results[lesson.id] = results
    var result = settle(lesson, runs, results)
    result.incomplete = incomplete
    run.report.lessons.append(result)
    observer.lessonEnded(result)
  }

  /// Finds this run's own measurement of a borrowed example, when it ended as it should.
  private func earlier(_ example: Example, in run: LessonRun) -> ExampleRun? {
    guard let origin = example.origin, var found = try? run.results[origin.lesson]?.first(origin.example) else {
      return nil
    }
    found.result.id = example.id
    return found
  }

  private func job(
    _ example: Example, of lesson: Lesson, after runs: [ExampleRun], _ server: ServerProcess, _ course: Course
  ) throws -> ExampleJob {
    let scratch = try course.folder.makeSubfolder()
    for (name, text) in example.circumstances.files { try course.folder.write(text, named: name, in: scratch) }
    observer.prepared(example, scratch)
    let authorities = try course.folder.write(server.authority, named: "authority-\(server.port).pem")
    let child = ChildProcess(
      executable: example.substitute?.executable ?? program, authorities: authorities,
      wrapper: wrapper?(program, scratch, authorities) ?? [], places: places)
    let limit = course.options.limit(of: example, after: runs.map(\.result))
    return ExampleJob(example, of: lesson, in: scratch, limit, course.options, server, child)
  }

  private func settle(_ lesson: Lesson, _ runs: [ExampleRun], _ results: RunResults) -> LessonResult {
    let witness = ToolchainWitness(lesson, runs, bodyBytes: results.bodyBytes)
    var result = LessonResult(
      id: lesson.id, title: lesson.title, examples: runs.map(\.result), claims: settle(lesson.claims, results, witness))
    result.checks = settle(lesson.checks, results, witness)
    result.shows = lesson.shows
    result.subject = lesson.subject
    result.pairs = lesson.pairs.filter { results.has($0.connection) && results.has($0.session) }
    return result
  }

  private func settle(_ claims: [Claim], _ results: RunResults, _ witness: ToolchainWitness?) -> [ClaimResult] {
    claims.filter { $0.needs.allSatisfy(results.has) }.map { ClaimResult($0, settledFrom: results, witness) }
  }
}
