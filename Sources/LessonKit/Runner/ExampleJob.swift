// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer

/// One run of one example: what its process is started with, and the result that comes of it.
struct ExampleJob: Sendable {
  /// How long before the parent's limit the child delivers what it has.
  private static let head = 0.75

  let example: Example
  private let options: RunOptions
  private let address: ExampleAddress
  private let invocation: ExampleInvocation
  private let child: ChildProcess
  private let server: pid_t
  private let limit: Duration
  /// The seed of what it loads.
  let seed: UInt64
  private let bodyBytes: Int

  /// The folder that its program may write to.
  var scratch: String { invocation.scratch }

  /// The run of an example of this lesson in this folder, against this server; `child` makes its process.
  init(
    _ example: Example, of lesson: Lesson, in scratch: String, _ limit: Duration, _ options: RunOptions,
    _ server: ServerProcess, _ child: ChildProcess
  ) {
    (self.example, self.options, self.limit, self.child) = (example, options, limit, child)
    self.server = server.pid
    seed = example.circumstances.seed ?? ExampleAddress.seed
    bodyBytes = example.circumstances.bodyBytes ?? options.bodyBytes
    address = ExampleAddress(
      options.resource ?? example.resource, bodyBytes: bodyBytes, seed: seed,
      token: example.circumstances.token, port: server.port, secure: server.securePorts)
    let seconds = limit / .seconds(1)
    invocation = ExampleInvocation(
      lesson: lesson.id, example: example.id, url: address.url,
      warmUpURL: ExampleAddress.warmUp(port: server.port), scratch: scratch, fileLimit: options.fileLimit,
      touch: example.circumstances.touch, busy: example.circumstances.busy, limits: options.limits,
      program: example.substitute?.program, aftermath: example.circumstances.aftermath / .seconds(1),
      limit: max(seconds - Self.head, seconds / 2))
  }

  /// Launches the program as often as its circumstances say, and reports the last launch.
  func run() async throws -> ChildReport {
    for _ in 1..<max(1, example.circumstances.launches) {
      _ = try await child.run(invocation, limit: limit)
      try await Task.sleep(for: example.circumstances.absence)
    }
    let stop = example.circumstances.stop
    let meter = DisturbanceMeter(server: server)
    var report = try await child.run(invocation, limit: limit, stop: stop)
    // A process that is stopped comes late by that.
    let latest = stop == nil ? report.measurement?.latest ?? 0 : 0
    report.disturbance = meter.disturbance(of: report.usage, latest: latest)
    return report
  }

  /// The result of what the child said and the server saw.
  func result(of report: ChildReport, _ log: ServerLogSnapshot) -> ExampleRun {
    let maker = ResultMaker(
      example: example, expected: address.expectedBody, bodyBytes: bodyBytes, seed: seed,
      limit: limit / .seconds(1))
    let files = FileSeen.all(in: scratch, body: address.expectedBody, limits: options.limits)
    var run = maker.make(from: report, log, files: files)
    let pieces = pieces(of: run.result)
    run.result.product?.pieces = pieces
    let space = space(beside: files)
    if space.isShort, run.result.product?.comparison != .equal { run.shortage = space.sentence }
    return run
  }

  /// The pieces of the file that it made, where more than one answer of the generator's brought them.
  private func pieces(of result: ExampleResult) -> [FilePiece]? {
    guard case .file(let path, let content) = example.product, [.body, .secondVersion].contains(content),
      address.size != nil, result.product?.comparison != .missing
    else { return nil }
    return FilePieces(of: result.requests, seed: seed)?.pieces(of: scratch + "/" + path)
  }

  /// The room for what it writes; what lies there already counts as room.
  private func space(beside files: [FileSeen]) -> DiskSpace {
    var space = DiskSpace(in: scratch, for: [example], bodyBytes: bodyBytes)
    space.free = space.free.map { $0 + files.reduce(0) { $0 + $1.bytes } }
    return space
  }

  /// The result in place of a run that the disk has no room for; nil where it has.
  var withoutRoom: ExampleRun? {
    let space = space(beside: [])
    guard space.isShort else { return nil }
    var run = ExampleRun(
      result: ExampleResult(
        id: example.id, title: example.title, side: example.side,
        outcome: Outcome(kind: .failed, why: "the program was not started: \(space.sentence)")),
      expectedEnd: example.expectedEnd)
    (run.shortage, run.wasStarted, run.wasMeasured) = (space.sentence, false, false)
    return run
  }
}
