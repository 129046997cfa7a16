// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension Configuration {
  static let claims: [Claim] = [
    Claim(
      "N3-08", .qualified,
      needs: ["environment", "changed-late", "cache", "silence", "silence-not-all", "all"].map { "session/\($0)" },
      because: "All tasks of a session share its configuration; other sessions have others. The session copies it, so "
        + "a later change reaches none of its tasks.", check: checkEnvironment),
    Claim(
      "N3-09", .qualified, needs: ["session/queue-busy"], leastBody: 16 << 20,
      because:
        "The data waits for a delegate that is busy, in a buffer that does not grow. When that and the buffers of "
        + "the sockets are full, the server has to wait, too."
    ) { results, findings in
      let run = try results.first("session/queue-busy")
      let free = try run.instant(of: "the queue is free")
      let waiting = try run.growth(atLine: "the queue is free")
      findings.note(
        run.label,
        "\(Words.size(waiting)) held for the delegate after \(Words.seconds(free))",
        "at least \(Words.amount(0.5, "MiB")) after \(Words.amount(1, "s"))", free >= 1 && waiting >= 1 << 19)
      findings.noteFlat(run)
      let sent = run.requests.first?.ended
      findings.note(
        run.label, "the server had sent everything at \(sent.map(Words.seconds) ?? .never)",
        "after the queue was free, \(Words.seconds(free))", sent.map { $0 > free } ?? false)
      findings.noteBody(of: run)
    },
    Claim(
      "N3-10", .qualified, needs: ["session/queue-nil", "session/queue-new"],
      because: "Both are off main and use whatever threads there are, but the callbacks of a task never overlap."
    ) { results, findings in
      for run in try [results.first("session/queue-nil"), results.first("session/queue-new")] {
        findings.notePlaces(of: run, onMain: false)
        findings.note(
          run.label, "\(run.recording.overlaps) came while another was being recorded", "one at a time",
          run.recording.overlaps == 0)
      }
    },
    Claim(
      "N3-12", .qualified, needs: ["session/shared", "session/queue-nil", "session/counted"], leastBody: 4 << 20,
      because:
        "The session reports to a delegate alone. A program that asks needs none: each task counts its bytes, also one "
        + "of the shared session with a handler."
    ) { results, findings in
      let shared = try results.first("session/shared")
      let wanted = "the shared session has no delegate"
      let said = shared.line("the shared session")?.text
      findings.note(
        shared.label, said.map(Phrase.quoted) ?? "nothing printed", .quoted(wanted),
        said == wanted)
      findings.note(
        shared.label, .count(shared.callbacks, "callback"), "1, the handler's",
        shared.callbacks == 1 && shared.recording.count(CallbackName.handler) == 1)
      let own = try results.first("session/queue-nil").recording.count(CallbackName.data, "data")
      findings.note(
        Phrase(verbatim: "session/queue-nil"), .count(own, "piece reported", "pieces reported"), "at least \(2)",
        own >= 2)
      findings.noteCount(of: try results.first("session/counted"))
    },
  ]

  @Sendable private static func checkEnvironment(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("session/environment")
    findings.noteFields("x-program", of: run, ["lesson/25", "lesson/25", "lesson/25"])
    findings.noteFields("cookie", of: run, ["–", "lesson=25", "lesson=25"])
    findings.noteFields(
      "x-program", of: try results.first("session/changed-late"), ["old", "old", "old"],
      bound: "old three times, not “lesson/25”")
    let cached = try results.first("session/cache")
    findings.note(
      cached.label,
      "\(Phrase.count(cached.requests.count, "request")) for \(Phrase.count(cached.result.loads.count, "task"))",
      "1 request for 3 tasks", cached.requests.count == 1 && cached.result.loads.count == 3 && cached.hasWholeBodies)
    for name in ["silence", "silence-not-all", "all"] {
      let run = try results.first("session/\(name)")
      let error = run.result.outcome.error?.words
      let wanted = name == "silence-not-all" ? nil : "NSURLErrorTimedOut"
      findings.note(
        run.label, "\(said(error)) after \(Words.seconds(run.result.time.wall))",
        "\(said(wanted)), after \(Words.amount(1, "s")) or more", run.result.time.wall >= 1 && error == wanted)
    }
  }

  private static func said(_ error: String?) -> Phrase { error.map { Phrase(verbatim: $0) } ?? "no error" }
}

extension Findings {
  /// The values of a header field on the requests, in order; – where a request has none.
  fileprivate mutating func noteFields(_ field: String, of run: ExampleRun, _ wanted: [String], bound: Phrase? = nil) {
    let values = run.requests.map { $0.fields[field] ?? "–" }
    note(
      Phrase(verbatim: "\(run.result.id), \(field)"), Phrase(verbatim: values.joined(separator: ", ")),
      bound ?? Phrase(verbatim: wanted.joined(separator: ", ")), values == wanted)
  }
}
