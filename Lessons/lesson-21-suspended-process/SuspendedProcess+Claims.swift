// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension SuspendedProcess {
  static let claims = [buffered, foreground]

  private static let connections = cases.map { "connection/\($0.name)" }
  private static let everything = connections + cases.map { "session/\($0.name)" }

  /// What comes on return, and when the server had sent it.
  private static let buffered = Claim(
    "N2-16", .qualified, needs: connections,
    because: "What the server could send meanwhile lies in the buffers and comes at once; the rest of a larger body "
      + "follows from the server. This holds for a stop longer than the time-out, too. The time-out is reported only "
      + "where nothing came."
  ) { results, findings in
    for name in ["short", "long"] {
      let run = try results.first("connection/\(name)")
      try findings.noteServer(of: run, "during the stop") { $0.contains($1) }
      try findings.noteReturn(of: run)
    }
    let large = try results.first("connection/large")
    try findings.noteServer(of: large, "after the stop") { $1 > $0.ended }
    findings.note(
      large.label, large.result.outcome.sentence, "finished", large.isRight)
    let silent = try results.first("connection/silent")
    try findings.noteReturn(of: silent)
    findings.note(
      silent.label, silent.result.outcome.sentence,
      "failed: \(Phrase(verbatim: "NSURLErrorTimedOut"))",
      silent.result.outcome.error?.name == "NSURLErrorTimedOut")
  }

  /// Nothing is called while the process does not run, with either API.
  private static let foreground = Claim(
    "N4-15", .qualified, needs: everything,
    because: "Stopping the process stands for the background here. These loads have nothing that carries them on "
      + "meanwhile; a download of a background session has: lesson 22."
  ) { results, findings in
    for id in everything {
      let run = try results.first(id)
      guard let stop = run.stop else { throw LessonKitError(.notMeasured, "\(id) was not stopped") }
      let still = stop.began + settling...max(stop.began + settling, stop.ended - settling)
      let during = run.result.ticks.filter { still.contains($0.instant) }.reduce(0) { $0 + $1.count }
      findings.note(
        Phrase(verbatim: id),
        "\(during) of \(Phrase.count(run.callbacks, "callback")) during the stop of \(Words.seconds(stop.ended - stop.began))",
        "0",
        during == 0 && run.callbacks > 0)
    }
  }

  /// The signal to stop takes effect a little after it was sent.
  private static let settling = 0.05
}

extension Findings {
  /// When the server had sent its whole answer, seen against the stop.
  fileprivate mutating func noteServer(
    of run: ExampleRun, _ bound: Phrase, _ holds: (Circumstances.Stretch, Double) -> Bool
  ) throws {
    guard let stop = run.stop else { throw LessonKitError(.notMeasured, "\(run.result.id) was not stopped") }
    let ended = run.requests.first?.ended
    note(
      run.label, "the server had sent everything at \(ended.map(Words.seconds) ?? .never)",
      "\(bound), \(Words.seconds(stop.began)) to \(Words.seconds(stop.ended))", ended.map { holds(stop, $0) } ?? false)
  }

  /// The load's end came at once when the process continued.
  fileprivate mutating func noteReturn(of run: ExampleRun) throws {
    guard let stop = run.stop, let end = run.endInstant else {
      throw LessonKitError(.notMeasured, "\(run.result.id) was not stopped, or never ended")
    }
    let wait = end - stop.ended
    note(
      run.label, "the end came \(Words.milliseconds(wait)) after the process continued",
      "within a fifth of the stop", wait >= 0 && wait < (stop.ended - stop.began) / 5)
  }
}
