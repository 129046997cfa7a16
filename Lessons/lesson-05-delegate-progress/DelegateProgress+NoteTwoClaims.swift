// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension DelegateProgress {
  private static let leftOut = ["response", "data", "finish", "failure"].map { "connection/without-\($0)" }

  /// The claims of note N2.
  static let noteTwoClaims = [
    Claim(
      "N2-01", .qualified, needs: leftOut,
      because: "None of the four is required, but with each one the program loses what only that method tells: the "
        + "length, the bytes, the end, the error.", check: checkFourMethods),
    Claim("N2-06", needs: ["connection/delegate-main"], leastBody: severalPieces, check: checkProgress),
    Claim("N2-10", needs: ["connection/delegate-main"], check: checkPhases),
    Claim(
      "N2-11", needs: ["connection/delegate-main", "connection/throttled"], leastBody: severalPieces,
      check: checkCount),
    Claim(
      "N2-12", .refuted, needs: ["connection/worker"],
      because:
        "The thread whose run loop the connection is scheduled on gets the callbacks. That is main only where it is "
        + "scheduled there: by being created there, or by `schedule(in:forMode:)`. A delegate queue needs no loop.",
      check: checkAlwaysMain),
  ]

  /// What each program does not know after a second, and that its load ended all the same.
  @Sendable private static func checkFourMethods(_ results: RunResults, _ findings: inout Findings) throws {
    let lost: [(state: String, words: Phrase)] = [
      ("of 0 bytes, finished", "the length, and so the progress"), (" 0 of ", "the bytes"),
      ("no end so far", "the end"),
      ("no end so far", "the error and the end"),
    ]
    for (id, loss) in zip(leftOut, lost) {
      let run = try results.first(id)
      let load = try run.load()
      let line = run.line("after a second: ")?.text
      findings.note(
        run.label, line.map(Phrase.quoted) ?? "printed nothing",
        "lost: \(loss.words)", line?.contains(loss.state) == true)
      findings.note(
        run.label, "the load \(load.end.words), and the program ran on", "no crash, one end",
        load.ends == 1 && run.result.outcome.kind == run.expectedEnd)
    }
  }

  @Sendable private static func checkPhases(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("connection/delegate-main")
    let load = try run.load()
    let instants: [(name: Phrase, at: Double?)] = [
      ("connected", load.instant(of: "connected")),
      ("request at the server", run.requests.first?.began),
      ("response", run.recording.callback(CallbackName.receive, "response")?.first),
      ("data", run.recording.callback(CallbackName.receive, "data")?.first),
      ("finish", run.recording.callback(CallbackName.finish)?.first),
    ]
    let known = instants.compactMap(\.at)
    findings.note(
      run.label,
      instants.map { "\($0.name) \($0.at.map { "\(Words.seconds($0))" } ?? "never" as Phrase)" as Phrase }
        .joined(),
      "in this order, by our clock and the server's log", known.count == instants.count && known == known.sorted())
    let order = ["\(CallbackName.receive) response", "\(CallbackName.receive) data", CallbackName.finish]
    let sequence = run.recording.sequence(of: load.subject).filter { order.contains($0) }
    findings.note(
      run.label, Phrase(verbatim: sequence.joined(separator: ", ")), "response, data, finish",
      sequence == order)
  }

  @Sendable private static func checkCount(_ results: RunResults, _ findings: inout Findings) throws {
    let counts = try ["delegate-main", "throttled"].map { name in
      try results.first("connection/\(name)").recording.count(CallbackName.receive, "data")
    }
    let (most, least) = (max(counts[0], counts[1]), max(1, min(counts[0], counts[1])))
    findings.note(
      "\(counts[0]) data callbacks from a fast server, \(counts[1]) from a slow one",
      "one at least 1.5 times the other, for the same body", 2 * most >= 3 * least)
  }

  @Sendable private static func checkAlwaysMain(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("connection/worker")
    findings.note(
      run.label, "callbacks on \(run.threads)", "one callback off main is enough to refute it",
      run.places.contains { !$0.main })
  }
}
