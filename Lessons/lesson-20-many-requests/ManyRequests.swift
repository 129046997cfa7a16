// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 20.
enum ManyRequests {
  private static let late = Example.Resource.body(divisor: 64, after: .milliseconds(100))

  static let lesson: Lesson = .make(
    20, "many-requests", "Many requests at once", minutes: 12,
    connection: [
      .connection("thirty", "30 connections to one host", "ThirtyConnections", loads: late, run: ThirtyConnections.run),
      .connection(
        "two-bodies", "two bodies at the same time; the server takes 1 s", "TwoConnections",
        loads: .body(divisor: 16, takes: .seconds(1)), run: TwoConnections.run),
    ],
    session: [
      .session("thirty", "30 tasks to one host", "ThirtyTasks", loads: late, run: ThirtyTasks.run),
      .session(
        "http2", "30 tasks over HTTP/2", "ThirtyTasks", loads: .secure(.trusted, divisor: 64), run: ThirtyTasks.run),
      .session(
        "two-per-host", "at most two connections for a host", "ThirtyTasks", loads: late, run: ThirtyTasks.overTwo),
    ],
    claims: [
      Claim(
        "N2-14", needs: ["connection/thirty", "session/thirty", "session/two-per-host", "session/http2"],
        because: number
      ) {
        results, findings in
        for (name, most) in [("connection/thirty", 6), ("session/thirty", 6), ("session/two-per-host", 2)] {
          let run = try results.first(name)
          findings.note(
            "\(name): \(run.requests.count) requests, \(run.requestsAtOnce) at a time over \(run.result.traffic.sockets) sockets",
            "30 requests, \(most) sockets",
            run.requests.count == 30 && run.result.traffic.sockets == most && run.requestsAtOnce <= most)
        }
        let multiplexed = try results.first("session/http2")
        let versions = Set(multiplexed.requests.map(\.version)).sorted().joined(separator: ", ")
        findings.note(
          "over \(versions): \(multiplexed.requests.count) requests, \(multiplexed.result.traffic.sockets) sockets",
          "HTTP/2: 1 socket", versions == "HTTP/2" && multiplexed.result.traffic.sockets == 1)
      },
      Claim("N2-15", .refuted, needs: ["connection/two-bodies"], because: turns) { results, findings in
        let run = try results.first("connection/two-bodies")
        let subjects = run.recording.order.filter { run.recording.callbacks[$0.callback].detail == "data" }.map(
          \.subject)
        let changes = zip(subjects, subjects.dropFirst()).count { $0 != $1 }
        findings.note(
          "\(run.recording.loads.count) loads; the pieces change from one to the other \(changes) times",
          "more than once", run.recording.loads.count == 2 && changes > 1)
      },
    ])

  private static let number =
    "Connection objects are cheap, connections are not. A host gets six; what is more waits in "
    + "line. A session's configuration can say another number."
  private static let turns =
    "Callbacks come one at a time, but not one load at a time: whoever has a piece gets a turn."
}

extension ExampleRun {
  /// The most requests that the server worked on at the same time.
  fileprivate var requestsAtOnce: Int {
    requests.map { one in requests.count { $0.began <= one.began && ($0.ended ?? .infinity) > one.began } }.max() ?? 0
  }
}
