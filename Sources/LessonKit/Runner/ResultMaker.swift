// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer

/// Turns what is known about an ended child, and what the server saw, into the result the report prints. It measures
/// nothing and asks nobody.
struct ResultMaker {
  var example: Example
  /// The body the example should have received, nil when the server's answer is not one of the generator's.
  var expected: ExampleAddress.Body?
  /// S and the seed of its stream.
  var bodyBytes: Int
  var seed: UInt64
  /// The time limit in seconds.
  var limit: Double

  func make(from report: ChildReport, _ log: ServerLogSnapshot, files: [FileSeen]) -> ExampleRun {
    let recording = report.measurement?.recording ?? Recording()
    let start = report.preparation?.started ?? 0
    let loads = recording.loads.enumerated().map { LoadResult($0.element, number: $0.offset + 1, expected: expected) }
    var result = ExampleResult(
      id: example.id, title: example.title, side: example.side,
      outcome: JobEnd(report, loads: loads, limit: limit).outcome)
    result.loads = loads
    let sockets = Dictionary(log.sockets.map { ($0.id, $0) }) { first, _ in first }
    result.requests = log.requests.filter { $0.target != ExampleAddress.warmUpPath }
      .map { RequestSeen($0, over: sockets[$0.socket], start: start) }
    result.traffic = Traffic(result.requests)
    result.sent = ByteFlow(log.sent, since: start)
    addStatus(to: &result)
    result.printed = ProgramLine.all(report.printed, noted: recording.lines)
    result.happenings = Happenings(
      touch: recording.touch,
      stop: report.stop.map { Circumstances.Stretch(began: $0.began - start, ended: $0.ended - start) })
    addCosts(of: report, to: &result)
    result.seesCallbacks = Self.seesCallbacks(example, result)
    if let hint = Self.hint(example, result) { result.outcome.why = hint }
    let maker = ProductMaker(expected: expected, bodyBytes: bodyBytes, seed: seed)
    result.product = maker.product(example.product, of: result, recording, files)
    var run = ExampleRun(
      result: result, recording: recording, printed: report.printed, expectedEnd: example.expectedEnd)
    run.files = files
    run.wasMeasured = report.measurement != nil
    // A program can open the pipe for reading, too, and take out what was sent before it started.
    run.isForged = report.isForged || report.measurement != nil && report.preparation == nil
    run.exceeded = report.exceeded
    run.requestsNotKept = log.requestsNotKept
    run.wasStarted = report.refusal == nil && (report.preparation != nil || run.isForged)
    run.wasKilled = report.end == .signaled(SIGKILL) && !report.limitHit && report.exceeded == nil
    run.disturbance = report.disturbance
    return run
  }

  /// The result of an example that there is no program of; nil where there is one.
  static func refused(_ example: Example) -> ExampleRun? {
    guard let substitute = example.substitute, substitute.executable == nil else { return nil }
    var result = ExampleResult(
      id: example.id, title: example.title, side: example.side,
      outcome: Outcome(kind: .notCompiled, why: substitute.refusal))
    result.seesCallbacks = false
    var run = ExampleRun(result: result, expectedEnd: example.expectedEnd)
    run.wasMeasured = false
    return run
  }

  /// True if the callbacks of a program in the toolchain's column were seen: a request without a load had its tasks where
  /// no recorder stands.
  private static func seesCallbacks(_ example: Example, _ result: ExampleResult) -> Bool? {
    example.substitute == nil ? nil : !result.loads.isEmpty || result.requests.isEmpty
  }

  /// Why a program of the toolchain's column fails over TLS: no variable makes that library trust the run's authority.
  private static func hint(_ example: Example, _ result: ExampleResult) -> Phrase? {
    guard example.substitute != nil, case .secure = example.resource, result.outcome.kind == .failed else { return nil }
    return "the toolchain’s URLSession trusts the system’s authorities alone, and the lesson server’s is none of them"
  }

  /// Handlers and downloads record no response: of a job that finished or was given bytes the server's last answer tells
  /// it. A 304 is no answer that a program gets, but the word to use the stored one.
  private func addStatus(to result: inout ExampleResult) {
    let answers = result.requests.filter { $0.status ?? 304 != 304 }
    let (outcome, loads) = (result.outcome, result.loads)
    guard outcome.kind == .finished || outcome.bytes > 0, outcome.status == 0, let status = answers.last?.status else {
      return
    }
    result.outcome.status = status
    if loads.count == 1, loads[0].kind == .finished || loads[0].bytes > 0 { result.loads[0].status = status }
  }

  private func addCosts(of report: ChildReport, to result: inout ExampleResult) {
    result.time.wall = report.measurement?.wall ?? report.wall
    if let preparation = report.preparation {
      result.memory.baseline = preparation.baseline
      result.threads.before = preparation.threads
      let usage = report.measurement?.usage ?? report.usage ?? preparation.usage
      let own = report.measurement?.instruments ?? ProcessUsage()
      result.time.cpu = max(0, usage.cpu - preparation.usage.cpu - own.cpu)
      result.time.wakeups = max(0, usage.wakeups - preparation.usage.wakeups - own.wakeups)
    }
    if let measurement = report.measurement { add(measurement, report.residentPeak, to: &result) }
  }

  private func add(_ measurement: Measurement, _ outsidePeak: Int, to result: inout ExampleResult) {
    result.memory.peak = measurement.peak
    result.memory.growth = max(0, max(measurement.peak, outsidePeak) - result.memory.baseline)
    result.memory.curve = measurement.curve
    result.threads.peak = max(measurement.peakThreads, result.threads.before)
    result.threads.after = measurement.threadsAfter
    result.threads.library = measurement.libraryThreads
    result.callbacks = measurement.recording.callbacks
    result.pitfalls = measurement.recording.pitfalls
    result.ticks = measurement.recording.ticks
    result.flow = measurement.recording.flow
    result.mainThread = MainThread(longestGap: measurement.longestGap, gaps: measurement.gaps)
  }
}

extension LoadResult {
  /// The result of a recorded load; `expected` is the body that the server sends.
  init(_ load: LoadRecord, number: Int, expected: ExampleAddress.Body?) {
    let hasBody = load.pieces + load.files > 0
    self.init(
      number: number, kind: load.end, status: load.responses.last?.status ?? 0, bytes: Int(load.bytes),
      isWhole: hasBody ? expected.map { $0.bytes == load.bytes && $0.checksum == load.checksum } : nil,
      error: load.failure, began: load.began,
      ended: load.end == .cancelled ? load.cancelled ?? load.endInstant : load.endInstant)
    connected = load.instant(of: "connected")
    answered = load.instant(of: "headReceived")
  }
}

extension ByteFlow {
  /// What the server sent since `start` on the log's clock; nil where it sent nothing.
  init?(_ sent: SentMarks, since start: Double) {
    self.init()
    var before: Int64 = 0
    for mark in sent.marks {
      add(Int(mark.bytes - before), at: mark.instant - start)
      before = mark.bytes
    }
    if bytes.isEmpty { return nil }
  }
}

extension Traffic {
  /// The sum of these requests.
  init(_ requests: [RequestSeen]) {
    self.init(
      requests: requests.count, sockets: Set(requests.map(\.socket)).count,
      bytesSent: requests.reduce(0) { $0 + $1.bytesSent }, bytesReceived: requests.reduce(0) { $0 + $1.bodyBytes },
      ranges: requests.compactMap(\.range))
  }
}
