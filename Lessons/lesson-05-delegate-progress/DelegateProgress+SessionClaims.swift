// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension DelegateProgress {
  private static let downloads = ["session/download-delegate", "session/download-throttled"]

  /// The claims of note N3.
  static let sessionClaims = [
    Claim(
      "N3-12",
      needs: ["session/shared-handler", "session/handler-despite-delegate", "session/download-throttled"],
      leastBody: severalPieces, settle: settleHandlerHasNoProgress),
    Claim("N3-17", needs: downloads) { results, findings in
      for run in try downloads.flatMap({ try results.all($0) }) {
        findings.noteProgress(of: run, size: results.bodyBytes)
      }
    },
    Claim("N3-20", needs: downloads, settle: settleOffMain),
  ]

  @Sendable private static func settleHandlerHasNoProgress(_ results: RunResults) throws -> Settlement {
    let handlers = try ["session/shared-handler", "session/handler-despite-delegate"].map { try results.first($0) }
    let others = handlers.map { run in run.recording.callbacks.filter { $0.name != CallbackName.handler } }
    let early = others.map { $0.reduce(0) { $0 + $1.count } }
    let reports = try results.first("session/download-throttled").recording.count(CallbackName.write)
    let bytes = handlers.allSatisfy { $0.result.outcome.bytes == results.bodyBytes }
    return Settlement(
      early.allSatisfy { $0 == 0 } && bytes && reports >= 2 ? .confirmed : .refuted,
      measured: "before the handler: \(early[0]) (shared session), \(early[1]) (own delegate); "
        + "\(reports) reports to a download delegate",
      bound: "0 and 0; at least 2")
  }

  @Sendable private static func settleOffMain(_ results: RunResults) throws -> Settlement {
    let runs = try downloads.flatMap { try results.all($0) }
    let places = runs.flatMap { $0.recording.callback(CallbackName.write)?.places ?? [] }
    let onMain = places.filter(\.thread.main).reduce(0) { $0 + $1.count }
    return Settlement(
      onMain == 0 && !places.isEmpty ? .confirmed : .refuted,
      measured: "\(onMain) of \(places.reduce(0) { $0 + $1.count }) reports on main, all others on "
        + "\(Set(places.map(\.thread.id)).count) threads of the queue",
      bound: "0 on main")
  }
}
