// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 2.
enum BlockingCall {
  /// How long the server waits before it answers, in seconds.
  private static let wait = 1.0
  private static let late = Example.Resource.body(after: .seconds(wait))

  static let lesson: Lesson = .make(
    2, "blocking-call", "The call that blocks", minutes: 10,
    connection: [
      .connection(
        "main", "synchronous on the main thread; the server waits 1 s", "SynchronousCall", loads: late,
        run: SynchronousCall.onMain),
      .connection(
        "worker", "synchronous on a thread of its own", "SynchronousCall", loads: late, run: SynchronousCall.onWorker),
      .connection(
        "never", "the server never answers, time-out 1 s", "SynchronousCall", loads: .path("/never"), endsAs: .failed,
        run: SynchronousCall.impatient),
    ],
    session: [
      .session("main", "data task made on the main thread", "HandlerCall", loads: late, run: HandlerCall.onMain),
      .session("worker", "data task made on another thread", "HandlerCall", loads: late, run: HandlerCall.onWorker),
      .session(
        "never", "the server never answers, time-out 1 s", "HandlerCall", loads: .path("/never"), endsAs: .failed,
        run: HandlerCall.impatient),
      .session(
        "deadlock", "main waits for a handler that needs main (defective)", "SemaphoreOnMain",
        loads: .body(divisor: 64), endsAs: .timedOut, run: SemaphoreOnMain.handlerOnMain
      ).limited(to: .seconds(2)),
      .session(
        "semaphore", "main waits for a handler on another queue", "SemaphoreOnMain", loads: late,
        run: SemaphoreOnMain.handlerOnItsQueue),
    ],
    claims: [
      Claim("N1-02", needs: ["connection/main"]) { results, findings in
        let gap = try results.first("connection/main").result.mainThread.longestGap
        findings.note("main loop without an answer for \(Words.seconds(gap))", "at least 1 s", gap >= wait)
      },
      Claim("N1-03", needs: ["connection/worker"]) { results, findings in
        let run = try results.first("connection/worker")
        let held = try run.instant(of: "received") - run.instant(of: "start")
        let isWorker = run.line("received")?.thread.main == false
        let gap = run.result.mainThread.longestGap
        findings.note("a worker held for \(Words.seconds(held))", "at least 1 s", held >= wait && isWorker)
        findings.note(
          "main loop without an answer for \(Words.milliseconds(gap))", "under a tenth of that", gap < held / 10)
      },
      Claim("N1-04", needs: ["connection/main"], leastBody: 8 << 20) { results, findings in
        let run = try results.first("connection/main")
        findings.noteBody(of: run)
        findings.noteGrowth(of: run, body: results.bodyBytes, in: 0.95 ... .infinity)
      },
    ])
}
