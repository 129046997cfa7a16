// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension DelegateProgress {
  private static let downloads = ["session/download-delegate", "session/download-throttled"]
  private static let handlers = ["session/shared-handler", "session/handler-despite-delegate"]
  private static let offMain = downloads + ["session/download-default-queue"]

  /// The claims of note N3.
  static let sessionClaims = [
    Claim(
      "N3-12", .qualified, needs: handlers + ["session/download-throttled", "session/counted"],
      leastBody: severalPieces,
      because:
        "The session reports to a delegate alone. A program that asks needs none: each task counts its bytes, also one "
        + "of the shared session with a handler.", check: checkHandlers),
    Claim("N3-17", needs: downloads) { results, findings in
      for run in try downloads.flatMap({ try results.all($0) }) {
        findings.noteProgress(of: run, size: results.bodyBytes)
      }
    },
    Claim(
      "N3-20", .qualified, needs: offMain + ["session/download-main-queue"],
      because:
        "With a queue of its own, and with the one that a session makes where none is given, the reports leave the "
        + "main thread. The main queue brings them there.", check: checkOffMain),
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
    findings.noteCount(of: try results.first("session/counted"))
  }

  @Sendable private static func checkOffMain(_ results: RunResults, _ findings: inout Findings) throws {
    let onMainQueue = "session/download-main-queue"
    for run in try (offMain + [onMainQueue]).flatMap({ try results.all($0) }) {
      let places = run.recording.callback(CallbackName.write)?.places ?? []
      let all = places.reduce(0) { $0 + $1.count }
      let onMain = places.filter(\.thread.main).reduce(0) { $0 + $1.count }
      let queues = Set(places.compactMap(\.queue)).sorted().map(Phrase.queue).joined()
      findings.note(
        run.label, "\(onMain) of \(Phrase.count(all, "progress report")) on main; \(queues)",
        run.result.id == onMainQueue ? "all on main" : "0 on main",
        onMain == (run.result.id == onMainQueue ? all : 0) && all > 0)
    }
  }
}
