// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

extension DelegateProgress {
  /// A body that needs more than one callback: two of the largest pieces that either API hands out.
  static let severalPieces = 1 << 20

  static let claims = connectionClaims + noteTwoClaims + sessionClaims

  /// The claims of note N1.
  private static let connectionClaims = [
    Claim("N1-10", needs: ["connection/delegate-main", "connection/no-length"], settle: settleResponse),
    Claim("N1-11", needs: ["connection/delegate-main"], leastBody: severalPieces, settle: settleProgress),
    Claim(
      "N1-12",
      needs: ["connection/delegate-main", "connection/delegate-queue", "connection/no-length", "connection/worker"],
      settle: settleLastMessage),
    Claim("N1-14", needs: ["connection/delegate-main", "connection/worker"], settle: settleCreatingThread),
    Claim("N1-15", needs: ["connection/delegate-queue", "connection/queue-after-start"], settle: settleQueue),
  ]

  @Sendable private static func settleResponse(_ results: RunResults) throws -> Settlement {
    let known = try results.first("connection/delegate-main")
    let unknown = try results.first("connection/no-length")
    guard let response = try known.load().responses.first, let open = try unknown.load().responses.first else {
      return Settlement(.refuted, measured: "no response came", bound: "one response each")
    }
    let line = known.printed.first { $0.hasPrefix("status ") } ?? "no status line printed"
    let sent = known.requests.first?.status ?? 0
    let holds =
      response.status == sent && response.expectedLength == Int64(results.bodyBytes) && open.expectedLength == -1
      && line.contains("application/octet-stream")
    return Settlement(
      holds ? .confirmed : .refuted,
      measured: "\(line); expected length \(response.expectedLength); \(open.expectedLength) without a length",
      bound: "status \(sent), type application/octet-stream, length \(results.bodyBytes) as sent; -1 without")
  }

  @Sendable private static func settleProgress(_ results: RunResults) throws -> Settlement {
    let runs = try results.all("connection/delegate-main").map { try $0.load() }
    let holds = runs.allSatisfy { load in
      load.pieces >= 2 && load.bytes == load.responses.first?.expectedLength && load.bytes == results.bodyBytes
    }
    let load = runs[0]
    return Settlement(
      holds ? .confirmed : .refuted,
      measured: "\(load.pieces) pieces, sum \(load.bytes) bytes of \(load.responses.first?.expectedLength ?? 0)",
      bound: "at least 2 pieces; sum = expected length = \(results.bodyBytes)",
      explanation: "A running total of pieces that are never negative cannot fall, and it ends at the length.")
  }

  @Sendable private static func settleLastMessage(_ results: RunResults) throws -> Settlement {
    let ids = ["connection/delegate-main", "connection/delegate-queue", "connection/no-length", "connection/worker"]
    var last: [String] = []
    for run in try ids.flatMap({ try results.all($0) }) {
      let sequence = run.recording.sequence(of: try run.load().subject)
      last.append(sequence.last ?? "nothing")
      if run.recording.count(CallbackName.finish) != 1 { last.append("not exactly one finish") }
    }
    let holds = last.allSatisfy { $0 == CallbackName.finish }
    return Settlement(
      holds ? .confirmed : .refuted,
      measured: "last of \(last.count) logs: " + Set(last).sorted().joined(separator: ", "),
      bound: "once, and last, within 50 ms after the program's end")
  }

  @Sendable private static func settleCreatingThread(_ results: RunResults) throws -> Settlement {
    let main = try results.first("connection/delegate-main")
    let worker = try results.first("connection/worker")
    let creators = try [main, worker].map { try $0.load().origin }
    let holds =
      main.places == [creators[0]] && creators[0].main && worker.places == [creators[1]] && !creators[1].main
    return Settlement(
      holds ? .confirmed : .refuted,
      measured: "created on \(creators[0].words), callbacks on \(main.threads); "
        + "created on \(creators[1].words), callbacks on \(worker.threads)",
      bound: "all on the creating thread, once main and once another")
  }

  @Sendable private static func settleQueue(_ results: RunResults) throws -> Settlement {
    let runs = try results.all("connection/delegate-queue") + results.all("connection/queue-after-start")
    let onMain = runs.count { $0.places.contains(where: \.main) }
    let overlaps = runs.reduce(0) { $0 + $1.recording.overlaps }
    let callbacks = runs.reduce(0) { $0 + $1.recording.callbacks.reduce(0) { $0 + $1.count } }
    let holds = onMain == 0 && overlaps == 0 && callbacks > 0
    return Settlement(
      holds ? .confirmed : .refuted,
      measured: "\(runs.count) runs, \(callbacks) callbacks on \(runs.map(\.threads).joined(separator: " | ")); "
        + "\(overlaps) began before the one before was noted",
      bound: "none on the creating thread (main); one at a time",
      explanation: "Both forms call back on the queue. The one that starts before it gets its queue still needs the "
        + "main run loop for each event; here that loop ran. A busy loop is the subject of lesson 09.")
  }
}
