// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 25.
enum Configuration {
  private static let cookie = Example.Resource.body(divisor: 64, options: "cookie=lesson%3D25")

  static let lesson: Lesson = .make(
    25, "configuration", "What the tasks of a session share", minutes: 15,
    connection: [
      .connection("repeated", "everything on each request", "RepeatedByHand", loads: cookie, run: RepeatedByHand.run)
    ],
    session: [
      .session(
        "environment", "said once for three tasks", "SharedEnvironment", loads: cookie, run: SharedEnvironment.run),
      .session(
        "changed-late", "changed after the session was made (defective)", "SharedEnvironment", loads: cookie,
        run: SharedEnvironment.changedTooLate),
      .session(
        "silence", "time-out of a request, 1 s; the server is silent", "TwoTimeouts", loads: .path("/never"),
        endsAs: .failed, run: TwoTimeouts.ofSilence),
      .session(
        "silence-not-all", "the same time-out; the server takes 2 s and is never silent", "TwoTimeouts",
        loads: .body(divisor: 16, takes: .seconds(2)), run: TwoTimeouts.ofSilence),
      .session(
        "all", "time-out of a resource, 1 s; the server takes 2 s", "TwoTimeouts",
        loads: .body(divisor: 16, takes: .seconds(2)), endsAs: .failed, run: TwoTimeouts.ofAll),
      .session("shared", "the shared session", "SharedHasNoDelegate", run: SharedHasNoDelegate.run),
      .session("queue-nil", "own delegate, no queue given", "PiecesOnQueues", run: PiecesOnQueues.onNone),
      .session("queue-new", "own delegate, a new queue", "PiecesOnQueues", run: PiecesOnQueues.onNew),
      .session(
        "queue-busy", "own delegate, which is busy for a second", "PiecesOnQueues", run: PiecesOnQueues.onBusy),
    ],
    claims: [
      Claim(
        "N3-08", .qualified,
        needs: [
          "session/environment", "session/changed-late", "session/silence", "session/silence-not-all", "session/all",
        ],
        because:
          "All tasks of a session share its configuration; other sessions have others. The session copies it, so "
          + "what is changed later is changed for nobody.", check: checkEnvironment),
      Claim("N3-09", needs: ["session/queue-busy"], leastBody: 8 << 20) { results, findings in
        let run = try results.first("session/queue-busy")
        let free = try run.instant(of: "the queue is free")
        let waiting = run.growth(at: free)
        findings.note(
          "after a second of silence \(Words.mebibytes(waiting)) were held for the delegate", "0.5 MiB at least",
          free >= 1 && waiting >= 1 << 19)
        findings.noteFlat(run)
        findings.noteBody(of: run)
      },
      Claim(
        "N3-10", .qualified, needs: ["session/queue-nil", "session/queue-new"],
        because: "Both are off main and use whatever threads there are, but the callbacks of a task never overlap."
      ) { results, findings in
        for run in try [results.first("session/queue-nil"), results.first("session/queue-new")] {
          findings.notePlaces(of: run, onMain: false)
          findings.note("\(run.recording.overlaps) at the same time", "one at a time", run.recording.overlaps == 0)
        }
      },
      Claim("N3-12", needs: ["session/shared", "session/queue-nil"], leastBody: 1 << 20) { results, findings in
        let shared = try results.first("session/shared")
        let said = shared.line("the shared session")?.text ?? "nothing printed"
        findings.note(said, "no delegate", said.hasSuffix("no delegate"))
        findings.note(
          "\(shared.callbacks) callback with a handler", "1, the handler's",
          shared.callbacks == 1 && shared.recording.count(CallbackName.handler) == 1)
        let own = try results.first("session/queue-nil").recording.count(CallbackName.data, "data")
        findings.note("\(own) reports to a delegate", "2 at least", own >= 2)
      },
    ])

  @Sendable private static func checkEnvironment(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("session/environment")
    let headers = run.requests.map { $0.fields["x-program"] ?? "none" }
    findings.note(
      "headers \(headers.joined(separator: ", "))", "lesson/25 on each of 3",
      headers == Array(repeating: "lesson/25", count: 3))
    let cookies = run.requests.map { $0.fields["cookie"] ?? "none" }
    findings.note(
      "cookies \(cookies.joined(separator: ", "))", "from the second task on",
      cookies == ["none", "lesson=25", "lesson=25"])
    let late = try results.first("session/changed-late").requests.map { $0.fields["x-program"] ?? "none" }
    findings.note(
      "changed later: \(Set(late).sorted().joined(separator: ", "))", "lesson/25 as before", Set(late) == ["lesson/25"])
    for name in ["silence", "silence-not-all", "all"] {
      let run = try results.first("session/\(name)")
      let error = run.result.outcome.error?.name
      findings.note(
        "\(name): \(error ?? "no error") after \(Words.seconds(run.result.time.wall))",
        "time-outs after 1 s, of silence and of all",
        run.result.time.wall >= 1 && error == (name == "silence-not-all" ? nil : "NSURLErrorTimedOut"))
    }
  }
}
