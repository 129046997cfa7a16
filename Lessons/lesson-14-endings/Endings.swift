// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 14.
enum Endings {
  /// What the server does, the same for both columns. The bodies that break off are larger than what arrives of them,
  /// whatever S is.
  private static let failures: [(name: String, title: String, resource: Example.Resource)] = [
    ("refused", "nobody listens", .refused),
    ("reset-before", "reset before the first byte", .path("/body?size=1MiB&cut=0&by=rst")),
    ("cut-in-head", "ended inside the head", .path("/body?size=1MiB&cut=20&by=fin")),
    ("reset-in-body", "reset in the body", .path("/body?size=1MiB&cut=100KiB&by=rst")),
    ("truncated", "ended before the announced length", .path("/body?size=1MiB&cut=100KiB&by=fin")),
    ("timed-out", "takes the request and never answers; time-out 1 s", .path("/never")),
  ]
  private static let successes: [(name: String, title: String, resource: Example.Resource)] = [
    ("whole", "answers as it should", .body(divisor: 4)), ("empty", "status 204, no body", .path("/status/204")),
  ]

  static let failing = failures.map { "connection/\($0.name)" }
  static let finishing = successes.map { "connection/\($0.name)" } + ["connection/head"]

  static let lesson: Lesson = .make(
    14, "endings", "How a load can end", minutes: 20,
    connection: connection.map { $0.watchedAfterwards(for: .milliseconds(500)) }.besideOthers(except: "reset-in-body"),
    session: session.besideOthers(except: "reset-in-body", "cancelled"), claims: claims,
    pairs: (failures.map(\.name) + successes.map(\.name) + ["head", "unsupported"]).map {
      .pair($0, $0, $0 == "reset-before" ? "the Connection example reuses a socket, so it sends once more" : .empty)
    }
      + [
        .pair("cancelled", "cancelled", "the Connection example waits until a second is over, for no end is reported")
      ],
    shows: [.loads, .callbacks, .requests, .printed],
    about: .of("error at the end", .error, "connection/truncated", beside: "connection/whole"),
    predict: Prediction(
      "A server announces 1 MiB, sends 100 KiB and closes the connection in order. What is the delegate's last message?",
      answers: [
        Phrase(verbatim: "connectionDidFinishLoading"), Phrase(verbatim: "didFailWithError"),
        "the last didReceiveData, nothing follows",
      ], right: 2,
      shownBy: "N5-04"))

  private static let connection: [Example] =
    failures.map {
      .connection($0.name, $0.title, "EndOfConnection", loads: $0.resource, endsAs: .failed, run: EndOfConnection.get)
    }
    + successes.map { .connection($0.name, $0.title, "EndOfConnection", loads: $0.resource, run: EndOfConnection.get) }
    + [
      .connection("head", "HEAD", "EndOfConnection", loads: .body(divisor: 64), run: EndOfConnection.head),
      .connection(
        "cancelled", "cancelled after 0.3 s; the server takes 1 s", "OneLife",
        loads: .body(divisor: 16, takes: .seconds(1)), endsAs: .cancelled, run: OneLife.cancelled),
      .connection(
        "started-again", "started a second time (defective)", "OneLife", loads: .body(divisor: 64),
        run: OneLife.startedAgain),
      .connection(
        "new-connection", "a second connection for the second load", "NewConnection", loads: .body(divisor: 64),
        run: NewConnection.run
      ).makes(.bodies),
      .connection(
        "unsupported", "a scheme that nobody serves", "UnsupportedScheme", loads: .path("/ok"), endsAs: .failed,
        run: UnsupportedScheme.gopher),
      .connection(
        "no-address", "a request without an address", "UnsupportedScheme", loads: .path("/ok"),
        run: UnsupportedScheme.noAddress
      ).makes(.line("created: false")),
    ]

  private static let session: [Example] =
    failures.map { .session($0.name, $0.title, "EndOfTask", loads: $0.resource, endsAs: .failed, run: EndOfTask.get) }
    + successes.map { .session($0.name, $0.title, "EndOfTask", loads: $0.resource, run: EndOfTask.get) }
    + [
      .session("head", "HEAD", "EndOfTask", loads: .body(divisor: 64), run: EndOfTask.head),
      .session(
        "cancelled", "cancelled after 0.3 s; the server takes 1 s", "CancelledTask",
        loads: .body(divisor: 16, takes: .seconds(1)), endsAs: .cancelled, run: CancelledTask.run),
      .session(
        "unsupported", "a scheme that nobody serves", "EndOfTask", loads: .path("/ok"), endsAs: .failed,
        run: EndOfTask.unsupported),
    ]
}
