// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 25.
enum Configuration {
  private static let cookie = Example.Resource.body(divisor: 64, options: "cookie=lesson%3D25")
  private static let storable = Example.Resource.body(divisor: 1 << 14, options: "etag=v1")
  private static let twoSeconds = Example.Resource.body(divisor: 16, takes: .seconds(2))

  static let lesson: Lesson = .make(
    25, "configuration", "Session configuration", minutes: 15,
    connection: [
      .connection("repeated", "everything on each request", "RepeatedByHand", loads: cookie, run: RepeatedByHand.run)
        .makes(.bodies)
    ].besideOthers(),
    session: environment.besideOthers() + timeouts.besideOthers() + queues, claims: claims,
    pairs: [.pair("repeated", "environment")],
    about: .of("header of three requests", .program, wrong: "session/changed-late", right: "session/environment"),
    predict: Prediction(
      "A program makes a session from a configuration and then changes a header in the configuration. Which header do "
        + "the three requests that follow carry?",
      answers: ["the old one", "the new one", "the first request the old one, the others the new one"], right: 1,
      shownBy: "N3-08"))

  private static let environment: [Example] = [
    .session(
      "environment", "said once for three tasks", "SharedEnvironment", loads: cookie, run: SharedEnvironment.run
    ).makes(.bodies),
    .session(
      "changed-late", "changed after the session was made (defective)", "SharedEnvironment", loads: cookie,
      run: SharedEnvironment.changedTooLate
    ).has(.configurationTooLate).makes(.bodies),
    .session(
      "cache", "one cache policy for three tasks", "SharedEnvironment", loads: storable, run: SharedEnvironment.cached
    ).makes(.bodies),
  ]

  private static let timeouts: [Example] = [
    .session(
      "silence", "time-out of a request, 1 s; the server is silent", "TwoTimeouts", loads: .path("/never"),
      endsAs: .failed, run: TwoTimeouts.ofSilence
    ).makes(.nothing),
    .session(
      "silence-not-all", "the same time-out; the server takes 2 s and is never silent", "TwoTimeouts",
      loads: twoSeconds, run: TwoTimeouts.ofSilence),
    .session(
      "all", "time-out of a resource, 1 s; the server takes 2 s", "TwoTimeouts", loads: twoSeconds, endsAs: .failed,
      run: TwoTimeouts.ofAll
    ).makes(.nothing),
  ]

  private static let queues: [Example] = [
    .session("shared", "the shared session", "SharedHasNoDelegate", run: SharedHasNoDelegate.run),
    .borrow("session/resumed", of: SuspendResumeCancel.lesson, as: "counted"),
    .session("queue-nil", "own delegate, no queue given", "PiecesOnQueues", run: PiecesOnQueues.onNone),
    .session("queue-new", "own delegate, a new queue", "PiecesOnQueues", run: PiecesOnQueues.onNew),
    .session("queue-busy", "own delegate, which is busy for a second", "BusyCounter", run: PiecesOnQueues.onBusy)
      .has(.slowCallback),
  ]
}
