// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension DelegateProgress {
  /// A body that needs more than one callback: two of the largest pieces that either API hands out.
  static let severalPieces = 1 << 20

  static let claims = connectionClaims + noteTwoClaims + sessionClaims

  private static let watched = [
    "connection/delegate-main", "connection/delegate-queue", "connection/no-length", "connection/worker",
  ]

  /// The claims of note N1.
  private static let connectionClaims = [
    Claim("N1-10", needs: ["connection/delegate-main", "connection/no-length"], check: checkResponse),
    Claim("N1-11", needs: ["connection/delegate-main"], leastBody: severalPieces, check: checkProgress),
    Claim("N1-12", needs: watched, check: checkLastMessage),
    Claim("N1-14", needs: ["connection/delegate-main", "connection/worker"], check: checkCreatingThread),
    Claim(
      "N1-15", needs: ["connection/delegate-queue", "connection/queue-after-start"],
      because:
        "Both forms call back on the queue. The one that starts before it gets its queue still needs the main run "
        + "loop for each event; here that loop ran. A busy loop is the subject of lesson 09.", check: checkQueue),
  ]

  @Sendable private static func checkResponse(_ results: RunResults, _ findings: inout Findings) throws {
    let known = try results.first("connection/delegate-main")
    let (name, response) = (known.label, try known.load().responses.first)
    let sent = known.requests.first?.status
    findings.note(
      name, "status \(response?.status ?? 0)", "\(sent ?? 0), as sent", response != nil && response?.status == sent)
    let type = "application/octet-stream"
    findings.note(name, "type \(response?.type ?? "–")", "\(type), as sent", response?.type == type)
    let length = response?.expectedLength ?? -2
    findings.note(
      name, "expected length \(length)", "\(results.bodyBytes), as sent", length == Int64(results.bodyBytes))
    let unknown = try results.first("connection/no-length")
    let open = try unknown.load().responses.first?.expectedLength ?? -2
    findings.note(
      unknown.label, "expected length \(open)", "-1: the server sends no length", open == -1)
  }

  @Sendable static func checkProgress(_ results: RunResults, _ findings: inout Findings) throws {
    for run in try results.all("connection/delegate-main") {
      let (name, load) = (run.label, try run.load())
      findings.note(name, .count(load.pieces, "piece"), "2 at least", load.pieces >= 2)
      let expected = load.responses.first?.expectedLength ?? -1
      let agree = load.bytes == expected && load.bytes == results.bodyBytes
      let sizes = [Int(load.bytes), Int(expected), results.bodyBytes].map { Words.size($0, isExact: !agree) }
      findings.note(name, "the pieces sum to \(sizes[0]) of \(sizes[1])", "both are \(sizes[2])", agree)
      let steps = run.recording.lines.compactMap { $0.text.hasSuffix(" %") ? Int($0.text.dropLast(2)) : nil }
      findings.note(
        name, "progress \(steps.map { "\($0) %" }.joined(separator: ", "))", "never falls, ends with 100 %",
        steps == steps.sorted() && steps.last == 100)
    }
  }

  @Sendable private static func checkLastMessage(_ results: RunResults, _ findings: inout Findings) throws {
    for run in try watched.flatMap({ try results.all($0) }) {
      let last = run.recording.sequence(of: try run.load().subject).last
      let count = run.recording.count(CallbackName.finish)
      findings.note(
        run.label, last.map { "\($0) is the last message" } ?? "no message came",
        "\(CallbackName.finish), watched for \(Words.amount(500, "ms")) after the program's end",
        last == CallbackName.finish)
      findings.note(run.label, .count(count, "finish message"), "1", count == 1)
    }
  }

  @Sendable private static func checkCreatingThread(_ results: RunResults, _ findings: inout Findings) throws {
    for (id, onMain) in [("connection/delegate-main", true), ("connection/worker", false)] {
      for run in try results.all(id) {
        let creator = try run.load().origin
        findings.note(
          run.label, "created on \(creator.words), callbacks on \(run.threads)",
          onMain ? "all on the creating thread, here main" : "all on the creating thread, here another one",
          run.places == [creator] && creator.main == onMain)
      }
    }
  }

  @Sendable private static func checkQueue(_ results: RunResults, _ findings: inout Findings) throws {
    for run in try results.all("connection/delegate-queue") + results.all("connection/queue-after-start") {
      let (name, creator) = (run.label, try run.load().origin)
      findings.note(
        name, "\(Phrase.count(run.callbacks, "callback")) on \(run.threads)", "none on the creating thread, main",
        !run.places.isEmpty && !run.places.contains(creator) && creator.main)
      findings.note(
        name, "\(run.recording.overlaps) came while another was being recorded", "one at a time",
        run.recording.overlaps == 0)
    }
  }
}
