// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 14.
enum Endings {
  /// What the server does, the same for both columns.
  private static let failures: [(name: String, title: String, resource: Example.Resource)] = [
    ("refused", "nobody listens", .refused),
    ("reset-before", "reset before the first byte", .body(divisor: 64, options: "cut=0&by=rst")),
    ("cut-in-head", "ended inside the head", .body(divisor: 64, options: "cut=20&by=fin")),
    ("reset-in-body", "reset in the body", .body(divisor: 64, options: "cut=100KiB&by=rst")),
    ("truncated", "ended before the announced length", .body(divisor: 64, options: "cut=100KiB&by=fin")),
    ("timed-out", "takes the request and never answers; time-out 1 s", .path("/never")),
  ]
  private static let successes: [(name: String, title: String, resource: Example.Resource)] = [
    ("whole", "answers as it should", .body(divisor: 16)), ("empty", "status 204, no body", .path("/status/204")),
  ]

  static let failing = failures.map { "connection/\($0.name)" }
  static let finishing = successes.map { "connection/\($0.name)" } + ["connection/head"]

  static let lesson: Lesson = .make(
    14, "endings", "How a load can end", minutes: 20,
    connection: connection.map { $0.watchedAfterwards(for: .milliseconds(500)) },
    session: session, claims: claims)

  private static let connection: [Example] =
    failures.map {
      .connection($0.name, $0.title, "EndOfConnection", loads: $0.resource, endsAs: .failed, run: EndOfConnection.get)
    }
    + successes.map { .connection($0.name, $0.title, "EndOfConnection", loads: $0.resource, run: EndOfConnection.get) }
    + [
      .connection("head", "HEAD", "EndOfConnection", loads: .body(divisor: 64), run: EndOfConnection.head),
      .connection(
        "cancelled", "cancelled after 0.3 s; the server takes 1 s", "OneLife",
        loads: .body(divisor: 16, takes: .seconds(1)), run: OneLife.cancelled),
      .connection(
        "started-again", "started a second time (defective)", "OneLife", loads: .body(divisor: 64),
        run: OneLife.startedAgain),
      .connection(
        "unsupported", "a scheme that nobody serves", "UnsupportedScheme", loads: .path("/ok"), endsAs: .failed,
        run: UnsupportedScheme.run),
    ]

  private static let session: [Example] =
    failures.map { .session($0.name, $0.title, "EndOfTask", loads: $0.resource, endsAs: .failed, run: EndOfTask.get) }
    + successes.map { .session($0.name, $0.title, "EndOfTask", loads: $0.resource, run: EndOfTask.get) }
    + [
      .session("head", "HEAD", "EndOfTask", loads: .body(divisor: 64), run: EndOfTask.head),
      .session(
        "cancelled", "cancelled in the first piece", "EndOfTask", loads: .body(), endsAs: .failed,
        run: EndOfTask.cancelled),
      .session(
        "unsupported", "a scheme that nobody serves", "EndOfTask", loads: .path("/ok"), endsAs: .failed,
        run: EndOfTask.unsupported),
    ]
}
