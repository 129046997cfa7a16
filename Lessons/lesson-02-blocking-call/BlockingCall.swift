// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 2.
enum BlockingCall {
  /// How long the server waits before it answers, in seconds: a second, and more than the heartbeat may come late.
  private static let wait = 1.2
  private static let late = Example.Resource.body(after: .seconds(wait))

  static let lesson: Lesson = .make(
    2, "blocking-call", "The call that blocks", minutes: 10,
    connection: connectionExamples, session: sessionExamples, claims: claims,
    pairs: [
      .pair("main", "main"), .pair("worker", "worker"), .pair("never", "never"),
    ],
    shows: [.timeline, .printed],
    about: .of("main silent", .silence, wrong: "connection/main", right: "connection/worker"),
    predict: Prediction(
      "The server takes a second to answer. Which of these leaves the main loop free meanwhile?",
      answers: [
        "a synchronous call on the main thread", "a synchronous call on a worker thread",
        "a data task, and the main thread waits on a semaphore for its handler",
      ], right: 2, shownBy: "N1-03"))

  private static let connectionExamples: [Example] = [
    .connection(
      "main", "synchronous on the main thread; the server waits 1.2 s (defective)", "SynchronousCall", loads: late,
      run: SynchronousCall.onMain
    ).has(.wholeBodyInMemory, .blocksMain),
    .connection(
      "worker", "synchronous on a thread of its own", "SynchronousCall", loads: late, run: SynchronousCall.onWorker
    ).has(.wholeBodyInMemory),
    .connection(
      "never", "the server never answers, time-out 1 s", "SynchronousCall", loads: .path("/never"), endsAs: .failed,
      run: SynchronousCall.impatient
    ).has(.blocksMain).besideOthers().makes(.nothing),
  ]

  private static let sessionExamples: [Example] = [
    .session("main", "data task made on the main thread", "HandlerCall", loads: late, run: HandlerCall.onMain)
      .has(.wholeBodyInMemory),
    .session("worker", "data task made on another thread", "HandlerCall", loads: late, run: HandlerCall.onWorker)
      .has(.wholeBodyInMemory),
    .session(
      "never", "the server never answers, time-out 1 s", "HandlerCall", loads: .path("/never"), endsAs: .failed,
      run: HandlerCall.impatient
    ).besideOthers().makes(.nothing),
    .session(
      "deadlock", "main waits for a handler that needs main (defective)", "SemaphoreOnMain",
      loads: .body(divisor: 64), endsAs: .timedOut, run: SemaphoreOnMain.handlerOnMain
    ).has(.waitsForItself).limited(to: .seconds(2)).besideOthers().makes(.nothing),
    .session(
      "semaphore", "main waits for a handler on another queue (defective)", "SemaphoreOnMain", loads: late,
      run: SemaphoreOnMain.handlerOnItsQueue
    ).has(.wholeBodyInMemory),
  ]

  private static let claims: [Claim] = [
    Claim("N1-02", needs: ["connection/main"]) { results, findings in
      let run = try results.first("connection/main")
      let held = try run.instant(of: "received") - run.instant(of: "start")
      findings.note(
        run.label, "the call held the main thread for \(Words.seconds(held))", "at least \(Words.amount(1, "s"))",
        held >= 1 && run.line("received")?.thread.main == true)
      let gap = run.result.mainThread.longestGap
      findings.note(
        run.label, "main silent for \(Words.seconds(gap))", "at least \(Words.amount(1, "s"))", gap >= 1
      )
    },
    Claim("N1-03", needs: ["connection/worker"]) { results, findings in
      let run = try results.first("connection/worker")
      let held = try run.instant(of: "received") - run.instant(of: "start")
      let isWorker = run.line("received")?.thread.main == false
      findings.note(
        run.label, "a worker held for \(Words.seconds(held))", "at least \(Words.amount(1, "s"))", held >= 1 && isWorker
      )
      let gap = run.result.mainThread.longestGap
      findings.note(
        run.label, "main silent for \(Words.milliseconds(gap))", "under \(Words.amount(100, "ms"))",
        gap < 0.1)
    },
    Claim("N1-04", needs: ["connection/main"], leastBody: 8 << 20) { results, findings in
      let run = try results.first("connection/main")
      findings.noteBody(of: run)
      findings.noteGrowth(of: run, body: results.bodyBytes, in: 0.95 ... .infinity)
    },
  ]
}
