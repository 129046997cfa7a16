// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

extension SessionLifetime {
  /// How much longer a request over a session of its own takes at the least, as a ratio.
  private static let margin = 1.2

  static let claims: [Claim] = [
    Claim("N3-04", needs: ["session/finished", "session/too-late"]) { results, findings in
      findings.noteFile(of: try results.first("session/finished"))
      let why = try results.first("session/too-late").result.outcome.why
      findings.note(
        Phrase(verbatim: "session/too-late"), why, "refused, and the reason is said",
        why.description.contains("session that has been invalidated"))
    },
    Claim("N3-05", needs: ["session/cancelled"]) { results, findings in
      let run = try results.first("session/cancelled")
      let sent = run.requests.first?.bytesSent ?? 0
      findings.note(run.label, "\(Words.size(sent)) sent by the server", "at least \(Words.amount(1, "B"))", sent > 0)
      let error = run.result.outcome.error?.words
      let wanted = "NSURLErrorCancelled"
      findings.note(
        run.label, error.map { Phrase(verbatim: $0) } ?? "no error", Phrase(verbatim: wanted),
        error == wanted)
      findings.note(
        run.label, .count(run.files.count, "file left", "files left"), "none left",
        run.files.isEmpty)
    },
    Claim("N3-06", needs: ["session/forgotten", "session/finished"], check: checkDelegate),
    Claim(
      "N3-07",
      needs: [
        "hundred-sessions", "one-session", "by-turns", "hundred-sessions-tls", "one-session-tls", "by-turns-tls",
      ].map { "session/\($0)" }
    ) { results, findings in
      try findings.noteCost(results, suffix: "", margin: margin)
      try findings.noteCost(results, suffix: "-tls", margin: margin)
    },
    Claim("N3-13", needs: ["session/task"]) { results, findings in
      let run = try results.first("session/task")
      for task in ["a task that ends", "a cancelled task"] {
        for (moment, state) in [("at once", "there"), ("afterwards", "gone")] {
          let wanted = "\(task), \(moment): \(state)"
          let line = run.line("\(task), \(moment): ")?.text
          findings.note(
            run.label, line.map(Phrase.quoted) ?? "nothing printed", .quoted(wanted),
            line == wanted)
        }
      }
    },
  ]

  @Sendable private static func checkDelegate(_ results: RunResults, _ findings: inout Findings) throws {
    for (name, isReleased) in [("forgotten", false), ("finished", true)] {
      let run = try results.first("session/\(name)")
      let end = try run.instant(of: "task ended")
      let release = run.line("delegate released")?.instant
      let measured: Phrase =
        release.map { "delegate released \(Words.milliseconds($0 - end)) after the task" } ?? "delegate kept"
      findings.note(
        run.label, measured, isReleased ? "released, after the task" : "kept for half a second",
        isReleased ? (release ?? 0) > end : release == nil)
    }
  }
}

extension ExampleRun {
  /// The times from the start of one request to the start of the next in the ten rounds, in seconds: over sessions of
  /// their own, and over the one session.
  ///
  /// - Throws: `LessonKitError` when the rounds are not complete.
  fileprivate func requestTimes() throws(LessonKitError) -> (many: [Double], one: [Double]) {
    let begins = recording.loads.map(\.began).sorted()
    guard begins.count == 200 else { throw LessonKitError(.notMeasured, "\(result.id) did not end its rounds") }
    let times = zip(begins.dropFirst(), begins).map { $0 - $1 }
    let rounds = stride(from: 0, to: 200, by: 20)
    return (rounds.flatMap { times[$0..<$0 + 9] }, rounds.flatMap { times[$0 + 10..<$0 + 19] })
  }
}

extension [Double] {
  /// A quarter of the values are smaller; 0 where there is none. Other work on the machine only ever adds time, to some
  /// requests far more than to others: the lower quartile stays where the median and the smallest jump.
  fileprivate var lowerQuartile: Double { isEmpty ? 0 : sorted()[count / 4] }
}

extension Findings {
  /// A hundred sessions open a hundred sockets, and their requests take longer; one session opens one.
  fileprivate mutating func noteCost(_ results: RunResults, suffix: String, margin: Double) throws {
    for (name, wanted) in [("hundred-sessions\(suffix)", 100), ("one-session\(suffix)", 1)] {
      let run = try results.first("session/\(name)")
      let sockets = run.result.traffic.sockets
      note(
        run.label, "\(Phrase.count(sockets, "socket")) for \(Phrase.count(run.requests.count, "request"))",
        "\(Phrase.count(wanted, "socket")) for \(Phrase.count(100, "request"))",
        sockets == wanted && run.requests.count == 100)
    }
    let times = try results.first("session/by-turns\(suffix)").requestTimes()
    let (many, one) = (times.many.lowerQuartile, times.one.lowerQuartile)
    let ratio = many / Swift.max(one, 1e-6)
    note(
      Phrase(verbatim: "session/by-turns\(suffix)"),
      "lower quartile of the time for one request: \(Words.milliseconds(many)) over new sessions, \(Words.milliseconds(one)) over one, ratio \(String(format: "%.2f", ratio))",
      "a ratio of at least \(margin)", ratio >= margin)
  }
}
