// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 24.
enum SessionLifetime {
  private static let small = Example.Resource.body(divisor: 64)
  private static let tiny = Example.Resource.body(divisor: 1 << 16)
  private static let tinySecure = Example.Resource.secure(.trusted, divisor: 1 << 16)
  private static let file = Example.Product.file("download")

  static let lesson: Lesson = .make(
    24, "session-lifetime", "How long a session lives", minutes: 15,
    connection: [
      .connection(
        "delegate", "a delegate that the program does not hold", "DelegateOfConnection", loads: small,
        run: DelegateOfConnection.run)
    ].besideOthers(), session: session, claims: claims,
    pairs: [.pair("delegate", "finished", "the Session example writes a file, too")],
    shows: [.loads, .printed],
    about: .of("last line printed", .lastLine, wrong: "session/forgotten", right: "session/finished"),
    predict: Prediction(
      "A program makes a session with a delegate, loads one file and forgets the session. What becomes of the delegate "
        + "when the file is there?",
      answers: ["it is released with the task", "it stays in memory", "it is released with the next request"], right: 2,
      shownBy: "N3-06"))

  private static let session = (ends + screens).besideOthers() + requests

  private static let screens: [Example] = [
    .session(
      "screen-deinit", "a screen that ends its session in deinit (defective)", "DownloadScreen", loads: small,
      run: DownloadScreen.endedInDeinit
    ).has(.sessionKept).makes(.line("screen released")),
    .session(
      "screen-left", "the same, ended when the person leaves it", "DownloadScreen", loads: small,
      run: DownloadScreen.endedOnLeaving
    ).makes(.line("screen released")),
  ]

  private static let ends: [Example] = [
    .session("forgotten", "never invalidated (defective)", "SessionEnds", loads: small, run: SessionEnds.never)
      .has(.sessionKept).makes(file),
    .session("finished", "finishTasksAndInvalidate", "SessionEnds", loads: small, run: SessionEnds.finishing)
      .makes(file),
    .session(
      "cancelled", "invalidateAndCancel in mid-download", "SessionEnds", loads: .body(divisor: 8, takes: .seconds(1)),
      endsAs: .cancelled, run: SessionEnds.cancelling
    ).makes(.nothing),
    .session(
      "too-late", "a task for an invalid session (an error)", "TaskTooLate", loads: small, endsAs: .crashed,
      run: TaskTooLate.run
    ).makes(.nothing),
    .session(
      "task", "who keeps a task", "WhoKeepsTheTask", loads: .body(divisor: 64, after: .milliseconds(300)),
      run: WhoKeepsTheTask.run),
  ]

  private static let requests: [Example] = [
    .session(
      "hundred-sessions", "100 requests over 100 sessions (defective)", "HundredRequests", loads: tiny,
      run: HundredRequests.overHundredSessions
    ).has(.sessionARequest).makes(.bodies),
    .session(
      "one-session", "100 requests over one session", "HundredRequests", loads: tiny,
      run: HundredRequests.overOneSession
    ).makes(.bodies),
    .session(
      "hundred-sessions-tls", "100 requests over 100 sessions, over TLS (defective)", "HundredRequests",
      loads: tinySecure, run: HundredRequests.overHundredSessions
    ).has(.sessionARequest).makes(.bodies),
    .session(
      "one-session-tls", "100 requests over one session, over TLS", "HundredRequests", loads: tinySecure,
      run: HundredRequests.overOneSession
    ).makes(.bodies),
    .session(
      "by-turns", "ten rounds: ten sessions, then one session", "HundredRequests", loads: tiny,
      run: HundredRequests.byTurns
    ).has(.sessionARequest).makes(.bodies),
    .session(
      "by-turns-tls", "the same rounds, over TLS", "HundredRequests", loads: tinySecure, run: HundredRequests.byTurns
    ).has(.sessionARequest).makes(.bodies),
  ]
}
