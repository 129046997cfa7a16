// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 20.
enum ManyRequests {
  private static let late = Example.Resource.body(divisor: 64, after: .milliseconds(100))
  private static let complete = Example.Product.line("the screen is complete")

  static let lesson: Lesson = .make(
    20, "many-requests", "Many requests at once", minutes: 12, connection: connection, session: session,
    claims: [sockets, turns, advice], checks: [perHost],
    pairs: [.pair("thirty", "thirty"), .pair("at-once", "at-once")],
    shows: [.timeline, .requests],
    about: .of("sockets for 30 requests", .sockets, "session/thirty", beside: "session/http2"),
    predict: Prediction(
      "A program starts 30 requests to one host at once. How many sockets does the server count?",
      answers: ["1", "6", "30"], right: 2, shownBy: "N2-14"))

  private static let connection: [Example] = [
    .connection("thirty", "30 connections to one host", "ThirtyConnections", loads: late, run: ThirtyConnections.run)
      .makes(.bodies),
    .connection(
      "two-bodies", "two bodies at the same time; the server takes 1 s", "TwoConnections",
      loads: .body(divisor: 16, takes: .seconds(1)), run: TwoConnections.run
    ).besideOthers().makes(.bodies),
    .connection(
      "one-by-one", "10 pictures, one request after the other", "PicturesOneByOne", loads: .path("/ok"),
      run: PicturesOneByOne.run
    ).makes(complete),
    .connection("at-once", "10 pictures, all at once", "PicturesAtOnce", loads: .path("/ok"), run: PicturesAtOnce.run)
      .makes(complete),
  ]

  private static let session: [Example] = [
    .session("thirty", "30 tasks to one host", "ThirtyTasks", loads: late, run: ThirtyTasks.run).makes(.bodies),
    .session(
      "http2", "30 tasks over HTTP/2", "ThirtyTasks", loads: .secure(.trusted, divisor: 64), run: ThirtyTasks.run
    ).makes(.bodies),
    .session(
      "two-per-host", "at most two connections for a host", "ThirtyTasks", loads: late, run: ThirtyTasks.overTwo
    ).besideOthers().makes(.bodies),
    .session("at-once", "10 pictures, all at once", "PicturesByTasks", loads: .path("/ok"), run: PicturesByTasks.run)
      .makes(complete),
  ]
}
