// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 24.
enum SessionLifetime {
  private static let small = Example.Resource.body(divisor: 64)

  static let lesson: Lesson = .make(
    24, "session-lifetime", "How long a session lives", minutes: 15,
    connection: [
      .connection(
        "delegate", "a delegate that nobody else holds", "DelegateOfConnection", loads: small,
        run: DelegateOfConnection.run)
    ],
    session: [
      .session("forgotten", "never invalidated (defective)", "SessionEnds", loads: small, run: SessionEnds.never),
      .session("finished", "finishTasksAndInvalidate", "SessionEnds", loads: small, run: SessionEnds.finishing),
      .session(
        "cancelled", "invalidateAndCancel in mid-download", "SessionEnds", loads: .body(divisor: 8, takes: .seconds(1)),
        endsAs: .failed, run: SessionEnds.cancelling),
      .session(
        "too-late", "a task for an invalid session (an error)", "TaskTooLate", loads: small, endsAs: .crashed,
        run: TaskTooLate.run),
      .session(
        "task", "who keeps a task", "WhoKeepsTheTask", loads: .body(divisor: 64, after: .milliseconds(300)),
        endsAs: .failed,
        run: WhoKeepsTheTask.run),
      .session(
        "hundred-sessions", "100 requests over 100 sessions (defective)", "HundredRequests", loads: .path("/1k"),
        run: HundredRequests.overHundredSessions),
      .session(
        "one-session", "100 requests over one session", "HundredRequests", loads: .path("/1k"),
        run: HundredRequests.overOneSession),
    ],
    claims: [
      Claim("N3-04", needs: ["session/finished", "session/too-late"]) { results, findings in
        findings.noteBody(of: try results.first("session/finished"))
        let why = try results.first("session/too-late").result.outcome.why
        findings.note(why, "refused with the reason", why.contains("session that has been invalidated"))
      },
      Claim("N3-05", needs: ["session/cancelled"]) { results, findings in
        let run = try results.first("session/cancelled")
        let error = run.result.outcome.error?.name ?? "no error"
        findings.note(
          "\(error), \(run.files.count) files left", "cancelled, 0", error == "NSURLErrorCancelled" && run.files.isEmpty
        )
      },
      Claim("N3-06", needs: ["session/forgotten", "session/finished"]) { results, findings in
        for (name, isReleased) in [("forgotten", false), ("finished", true)] {
          let run = try results.first("session/\(name)")
          let end = try run.instant(of: "task ended")
          let release = run.line("delegate released")?.instant
          findings.note(
            "\(name): "
              + (release.map { "delegate released \(Words.milliseconds($0 - end)) after the task" } ?? "delegate kept"),
            isReleased ? "released, after the task" : "kept for half a second",
            isReleased ? (release ?? 0) > end : release == nil)
        }
      },
      Claim("N3-07", needs: ["session/hundred-sessions", "session/one-session"]) { results, findings in
        let (many, one) = try (results.first("session/hundred-sessions"), results.first("session/one-session"))
        findings.note(
          "\(many.result.traffic.sockets) sockets and \(Words.milliseconds(many.result.time.wall)); "
            + "\(one.result.traffic.sockets) and \(Words.milliseconds(one.result.time.wall))",
          "100 and longer; 1",
          many.result.traffic.sockets == 100 && one.result.traffic.sockets == 1
            && many.result.time.wall > one.result.time.wall)
        findings.note("", "100 requests each", many.requests.count == 100 && one.requests.count == 100)
      },
      Claim("N3-13", needs: ["session/task"]) { results, findings in
        let run = try results.first("session/task")
        for task in ["a task that ends", "a cancelled task"] {
          for (moment, state) in [("at once", "there"), ("afterwards", "gone")] {
            let line = run.line("\(task), \(moment): ")?.text ?? "nothing printed"
            findings.note(line, "there, then gone", line.hasSuffix(state))
          }
        }
      },
    ])
}
