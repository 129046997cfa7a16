// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer

/// Turns what is known about an ended child, and what the server saw, into the result the report prints. It measures
/// nothing and asks nobody.
struct ResultMaker {
  var example: Example
  /// The body the example should have received, nil when the server's answer is not one of the generator's.
  var expected: ExampleAddress.Body?
  /// The time limit in seconds.
  var limit: Double

  func make(from report: ChildReport, _ log: ServerLogSnapshot) -> ExampleRun {
    var result = ExampleResult(
      id: example.id, title: example.title, side: example.side, outcome: makeOutcome(from: report))
    result.traffic = makeTraffic(from: log)
    result.time.wall = report.measurement?.wall ?? report.wall
    if let preparation = report.preparation {
      result.memory.baseline = preparation.baseline
      result.threads.before = preparation.threads
      let usage = report.measurement?.usage ?? report.usage ?? preparation.usage
      let own = report.measurement?.instruments ?? ProcessUsage()
      result.time.cpu = max(0, usage.cpu - preparation.usage.cpu - own.cpu)
      result.time.wakeups = max(0, usage.wakeups - preparation.usage.wakeups - own.wakeups)
    }
    if let measurement = report.measurement {
      add(measurement, to: &result)
    }
    let start = report.preparation?.started ?? 0
    var run = ExampleRun(
      result: result, recording: report.measurement?.recording ?? Recording(), printed: report.printed,
      expectedEnd: example.expectedEnd,
      requests: requests(in: log).map { RequestSeen($0, start: start) })
    run.stop = report.stop.map { Circumstances.Stretch(began: $0.began - start, ended: $0.ended - start) }
    return run
  }

  private func add(_ measurement: Measurement, to result: inout ExampleResult) {
    result.memory.peak = measurement.peak
    result.memory.growth = max(0, measurement.peak - result.memory.baseline)
    result.memory.curve = measurement.curve
    result.threads.peak = max(measurement.peakThreads, result.threads.before)
    result.threads.after = measurement.threadsAfter
    result.callbacks = measurement.recording.callbacks
    result.mainThread.longestGap = measurement.longestGap
  }

  // MARK: - Outcome

  private func makeOutcome(from report: ChildReport) -> Outcome {
    let loads = report.measurement?.recording.loads ?? []
    var outcome = Outcome(
      kind: .finished,
      bytes: Int(loads.reduce(0) { $0 + $1.bytes }),
      checksumOK: !loads.isEmpty && loads.allSatisfy(isExpected),
      status: loads.last?.responses.last?.status ?? 0,
      error: loads.lazy.compactMap(\.failure).first)
    (outcome.kind, outcome.why) = judge(report, failure: outcome.error)
    return outcome
  }

  private func isExpected(_ load: LoadRecord) -> Bool {
    expected.map { $0.bytes == load.bytes && $0.checksum == load.checksum } ?? false
  }

  private func judge(_ report: ChildReport, failure: Outcome.Failure?) -> (Outcome.Kind, String) {
    if report.limitHit {
      return (.timedOut, "the process did not answer within \(Self.words(limit)) s and was ended")
    }
    if case .signaled(let signal) = report.end {
      return (.crashed, Self.crash(signal, report))
    }
    if let measurement = report.measurement {
      if !measurement.hasEnded { return (.timedOut, HangDiagnosis(measurement.recording).sentence) }
      return failure.map { (.failed, "\($0.name.isEmpty ? $0.domain : $0.name) (\($0.code))") } ?? (.finished, "")
    }
    guard case .exited(let status) = report.end else { return (.failed, "") }
    let last = report.printed.last.map { "; it last printed: \($0)" } ?? ""
    return (.failed, "the program ended its process with status \(status) before it came to its end\(last)")
  }

  private static func crash(_ signal: Int32, _ report: ChildReport) -> String {
    let name = signalNames[signal] ?? "signal \(signal)"
    let stage = report.preparation == nil ? " before the example started" : ""
    // Of a failed precondition a release build says nothing; our libraries write their sentence before.
    let message =
      report.printed.last { $0.contains("atal error") || $0.contains("recondition failed") }
      ?? report.printed.last { $0.hasPrefix("NSURLConnection: ") || $0.hasPrefix("URLSession: ") }
    return name + stage + (message.map { ": \($0)" } ?? "")
  }

  private static let signalNames: [Int32: String] = [
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
    SIGPIPE: "SIGPIPE", SIGSEGV: "SIGSEGV", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXFSZ: "SIGXFSZ",
  ]

  private static func words(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }

  // MARK: - Traffic

  private func requests(in log: ServerLogSnapshot) -> [RequestRecord] {
    log.requests.filter { $0.target != ExampleAddress.warmUpPath }
  }

  private func makeTraffic(from log: ServerLogSnapshot) -> Traffic {
    let own = requests(in: log)
    return Traffic(
      requests: own.count, sockets: Set(own.map(\.socket)).count,
      bytesSent: Int(own.reduce(0) { $0 + $1.bytesSent }), ranges: own.compactMap(\.range))
  }
}
