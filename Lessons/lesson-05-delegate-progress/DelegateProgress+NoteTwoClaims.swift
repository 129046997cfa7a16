// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

extension DelegateProgress {
  private static let leftOut = [
    "connection/without-response", "connection/without-data", "connection/without-finish",
    "connection/without-failure",
  ]

  /// The claims of note N2.
  static let noteTwoClaims = [
    Claim("N2-01", needs: leftOut, settle: settleFourMethods),
    Claim(
      "N2-06", needs: ["connection/delegate-main", "connection/delegate-queue"], leastBody: severalPieces,
      settle: settleRepeatedData),
    Claim("N2-10", needs: ["connection/delegate-main"], settle: settlePhases),
    Claim(
      "N2-11", needs: ["connection/delegate-main", "connection/throttled"], leastBody: severalPieces,
      settle: settleCount),
    Claim("N2-12", needs: ["connection/worker"], settle: settleAlwaysMain),
  ]

  @Sendable private static func settleFourMethods(_ results: RunResults) throws -> Settlement {
    let runs = try leftOut.map { try results.first($0) }
    let ended = try runs.allSatisfy { try $0.load().ends == 1 }
    let states = runs.map { run in
      let name = run.result.id.drop { $0 != "/" }.dropFirst().replacingOccurrences(of: "without-", with: "no ")
      let state = run.printed.last { $0.hasPrefix("after a second: ") }?.dropFirst(16) ?? "printed nothing"
      return "\(name): \(state)"
    }
    return Settlement(
      ended ? .qualified : .confirmed,
      measured: states.joined(separator: "; "),
      bound: "4 programs without a crash, each load with its one end",
      explanation: "None of the four is required, but with each one the program loses what only that method tells: "
        + "the length, the bytes, the end, the error.")
  }

  @Sendable private static func settleRepeatedData(_ results: RunResults) throws -> Settlement {
    let runs = try results.all("connection/delegate-main") + results.all("connection/delegate-queue")
    let counts = runs.map { $0.recording.count(CallbackName.receive, "data") }
    return Settlement(
      counts.allSatisfy { $0 >= 2 } ? .confirmed : .refuted,
      measured: counts.map { "\($0)" }.joined(separator: " and ") + " data callbacks", bound: "at least 2 each")
  }

  @Sendable private static func settlePhases(_ results: RunResults) throws -> Settlement {
    let run = try results.first("connection/delegate-main")
    let load = try run.load()
    let instants: [(name: String, at: Double?)] = [
      ("connected", load.instant(of: "connected")),
      ("request at the server", run.requests.first?.began),
      ("response", run.recording.callback(CallbackName.receive, "response")?.first),
      ("data", run.recording.callback(CallbackName.receive, "data")?.first),
      ("finish", run.recording.callback(CallbackName.finish)?.first),
    ]
    let known = instants.compactMap(\.at)
    let sequence = run.recording.sequence(of: load.subject)
    let order = ["\(CallbackName.receive) response", "\(CallbackName.receive) data", CallbackName.finish]
    let holds = known.count == instants.count && known == known.sorted() && Array(sequence.suffix(3)) == order
    return Settlement(
      holds ? .confirmed : .refuted,
      measured: instants.map { "\($0.name) \($0.at.map { String(format: "%.1f ms", $0 * 1000) } ?? "never")" }
        .joined(separator: ", "),
      bound: "in this order, by our clock and the server's log")
  }

  @Sendable private static func settleCount(_ results: RunResults) throws -> Settlement {
    let fast = try results.first("connection/delegate-main").recording.count(CallbackName.receive, "data")
    let slow = try results.first("connection/throttled").recording.count(CallbackName.receive, "data")
    let ratio = Double(max(fast, slow)) / Double(max(1, min(fast, slow)))
    return Settlement(
      ratio >= 1.5 ? .confirmed : .refuted,
      measured: "\(fast) callbacks fast, \(slow) throttled: a factor of " + String(format: "%.1f", ratio),
      bound: "a factor of at least 1.5 for the same body")
  }

  @Sendable private static func settleAlwaysMain(_ results: RunResults) throws -> Settlement {
    let run = try results.first("connection/worker")
    guard !run.places.isEmpty else {
      return Settlement(.unsettled, measured: "no callback came", bound: "callbacks on a thread other than main")
    }
    return Settlement(
      run.places.contains(where: \.main) ? .confirmed : .refuted,
      measured: "callbacks on \(run.threads)", bound: "one callback off main is enough to refute it",
      explanation: "The thread whose run loop the connection is scheduled on gets the callbacks. It is main only when "
        + "the connection was created there.")
  }
}
