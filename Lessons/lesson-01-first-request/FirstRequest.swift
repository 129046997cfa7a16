// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Pitfalls

/// Lesson 1.
enum FirstRequest {
  private static let json = Example.Resource.path("/json")
  private static let document = Example.Product.line("the document names lesson first-request")
  /// What GET would send where HEAD is asked: 64 MiB, whatever the run's S.
  static let announced = 64 << 20

  static let lesson: Lesson = .make(
    1, "first-request", "The first request", minutes: 12,
    connection: connectionExamples.besideOthers(), session: sessionExamples.besideOthers(), claims: claims,
    pairs: [
      .pair("json", "json"),
      .pair("not-started", "resumed-late"),
    ],
    about: .of("requests", .requests, wrong: "session/never-resumed", right: "session/resumed-late"),
    predict: Prediction(
      "A program makes a data task, keeps it and does nothing more with it. What has the server seen after a second?",
      answers: [
        "the request: a task starts as soon as it is made", "a connection, but no request yet", "nothing at all",
      ], right: 3, shownBy: "N3-02"))

  private static let connectionExamples: [Example] = [
    .connection("json", "synchronous GET of JSON", "SynchronousJSON", loads: json, run: SynchronousJSON.run)
      .makes(document),
    .connection(
      "head", "HEAD: the headers without the body", "HeadersOnly", loads: .path("/body?size=\(announced)"),
      run: HeadersOnly.run
    ).makes(.line("the body would have \(announced) bytes")),
    .connection(
      "not-started", "created without starting, started a second later", "ConnectionNotStarted", loads: json,
      run: ConnectionNotStarted.run
    ).makes(.line("received 79 bytes")),
    .connection(
      "address", "an address with a space and a Chinese word", "AddressWithSpaces", loads: .path("/echo"),
      run: AddressWithSpaces.run
    ).makes(.line("plain: the server received /echo?name=a%20b&word=%E8%AF%BE")),
    .connection(
      "policy", "four loads, three cache policies", "RequestPolicy", loads: .path("/cached?control=max-age%3D60"),
      run: RequestPolicy.caching
    ).makes(.nothing),
    .connection(
      "timeout", "the server never answers, time-out 1 s", "RequestPolicy", loads: .path("/never"), endsAs: .failed,
      run: RequestPolicy.patience
    ).has(.blocksMain).makes(.nothing),
  ]

  private static let sessionExamples: [Example] = [
    .session("json", "shared session, JSON", "SharedJSON", loads: json, run: SharedJSON.run).makes(document),
    .session(
      "json-no-server", "the same program, but no server", "SharedJSON", loads: .refused, endsAs: .failed,
      run: SharedJSON.run
    ).makes(.nothing),
    .session(
      "unguarded", "parsed without a look at the error (defective, as N3 writes it)", "UnguardedJSON", loads: json,
      run: UnguardedJSON.run
    ).makes(.nothing),
    .session(
      "unguarded-no-server", "the same program, but no server (defective)", "UnguardedJSON", loads: .refused,
      endsAs: .crashed, run: UnguardedJSON.run
    ).makes(.nothing),
    .session("resumed-late", "resumed a second later", "ResumedLate", loads: json, run: ResumedLate.resumedLate)
      .makes(.line("received 79 bytes")),
    .session(
      "never-resumed", "the task that nobody resumed (defective)", "ResumedLate", loads: json, endsAs: .timedOut,
      run: ResumedLate.neverResumed
    ).has(.neverResumed).limited(to: .seconds(2)).makes(.nothing),
  ]
}
