// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension DelegateProgress {
  private static let downloads = ["session/download-delegate", "session/download-throttled"]
  private static let handlers = ["session/shared-handler", "session/handler-despite-delegate"]
  private static let offMain = downloads + ["session/download-default-queue"]

  /// The claims of note N3.
  static let sessionClaims = [
    Claim("N3-12", needs: handlers + ["session/download-throttled"], leastBody: severalPieces, check: checkHandlers),
    Claim("N3-17", needs: downloads) { results, findings in
      for run in try downloads.flatMap({ try results.all($0) }) {
        findings.noteProgress(of: run, size: results.bodyBytes)
      }
    },
    Claim(
      "N3-20", needs: offMain,
      because:
        "With a queue of its own, and with the one that a session makes where none is given, the reports leave the "
        + "main thread. The main queue brings them there: lesson 03.", check: checkOffMain),
  ]

  @Sendable private static func checkHandlers(_ results: RunResults, _ findings: inout Findings) throws {
    for run in try handlers.map({ try results.first($0) }) {
      let others = run.callbacks - run.recording.count(CallbackName.handler)
      findings.note(
        run.label, .count(others, "callback before the handler", "callbacks before the handler"), "0",
        others == 0)
      findings.noteBody(of: run)
    }
    let run = try results.first("session/download-throttled")
    let reports = run.recording.count(CallbackName.write)
    findings.note(run.label, .count(reports, "progress report"), "2 at least", reports >= 2)
  }

  @Sendable private static func checkOffMain(_ results: RunResults, _ findings: inout Findings) throws {
    for run in try offMain.flatMap({ try results.all($0) }) {
      let places = run.recording.callback(CallbackName.write)?.places ?? []
      let all = places.reduce(0) { $0 + $1.count }
      let onMain = places.filter(\.thread.main).reduce(0) { $0 + $1.count }
      let queues = Set(places.compactMap(\.queue)).sorted().map(Phrase.queue).joined()
      findings.note(
        run.label, "\(onMain) of \(Phrase.count(all, "progress report")) on main; \(queues)",
        "0 on main", onMain == 0 && all > 0)
    }
  }
}
