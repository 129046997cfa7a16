// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Judges how an example's job ended: by the process's end first, then by its loads.
///
/// A load that ended before another one began is a step of the job, such as a pause that was resumed or a try that was
/// repeated; the job's end is that of the loads after which no other one began.
struct JobEnd {
  private let report: ChildReport
  private let loads: [LoadResult]
  private let limit: Double

  init(_ report: ChildReport, loads: [LoadResult], limit: Double) {
    self.report = report
    self.loads = loads
    self.limit = limit
  }

  /// The end, the sums of all loads, and why.
  var outcome: Outcome {
    let last = lastLoads
    var outcome = Outcome(
      kind: .finished, bytes: loads.reduce(0) { $0 + $1.bytes }, status: last.last?.status ?? 0)
    (outcome.kind, outcome.why) = ofProcess ?? ofLoads(last)
    if outcome.kind == .failed || outcome.kind == .cancelled {
      outcome.error = last.first { $0.kind == outcome.kind }?.error
    }
    return outcome
  }

  /// The loads after whose end no other load began.
  private var lastLoads: [LoadResult] {
    loads.filter { load in
      guard let ended = load.ended else { return true }
      return !loads.contains { $0.number != load.number && $0.began >= ended }
    }
  }

  private func ofLoads(_ last: [LoadResult]) -> (Outcome.Kind, Phrase) {
    let order: [Outcome.Kind] = [.failed, .noEnd, .cancelled]
    let kind = order.first { kind in last.contains { $0.kind == kind } } ?? .finished
    let count = loads.count { $0.kind == kind }
    let share: Phrase = last.count > 1 && kind != .finished ? "\(count) of \(loads.count) loads" : .empty
    return (kind, share)
  }

  /// The end that the process decides, nil when it came to its end by itself.
  private var ofProcess: (Outcome.Kind, Phrase)? {
    if let refusal = report.refusal {
      return (.failed, "the program was not started, for this machine’s kernel does not keep it to a limit: \(refusal)")
    }
    if report.limitHit {
      return (.timedOut, "the process did not answer within \(Self.words(limit)) s and was ended")
    }
    if case .signaled(let signal) = report.end { return (.crashed, crash(signal)) }
    if let measurement = report.measurement {
      return measurement.hasEnded ? nil : (.timedOut, HangDiagnosis(measurement.recording).sentence)
    }
    guard case .exited(let status) = report.end else { return (.failed, .empty) }
    guard let last = report.printed.last else {
      return (.failed, "the program ended its process with status \(status) before it came to its end")
    }
    return (
      .failed, "the program ended its process with status \(status) before it came to its end; it last printed: \(last)"
    )
  }

  private func crash(_ signal: Int32) -> Phrase {
    let name = Self.signalNames[signal] ?? "signal \(signal)"
    // Of a failed precondition a release build says nothing; our libraries write their sentence before.
    let message =
      report.printed.last { $0.contains("atal error") || $0.contains("recondition failed") }
      ?? report.printed.last { $0.hasPrefix("NSURLConnection: ") || $0.hasPrefix("URLSession: ") }
    let stage: Phrase = report.preparation == nil ? "\(name) before the example started" : Phrase(verbatim: name)
    let words = message.map { Phrase(verbatim: Self.withoutPlace($0)) } ?? report.trap?.why ?? .empty
    let sentence: Phrase = words.isEmpty ? stage : "\(stage): \(words)"
    return report.trap.map { "\(sentence) (\($0.line))" } ?? sentence
  }

  /// The sentence behind "File.swift:10: Fatal error: ".
  private static func withoutPlace(_ message: String) -> String {
    guard let mark = message.firstRange(of: "atal error: ") else { return message }
    return String(message[mark.upperBound...])
  }

  private static let signalNames: [Int32: String] = [
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
    SIGPIPE: "SIGPIPE", SIGSEGV: "SIGSEGV", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXFSZ: "SIGXFSZ",
  ]

  private static func words(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }
}
