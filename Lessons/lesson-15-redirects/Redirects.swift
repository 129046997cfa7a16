// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 15.
enum Redirects {
  private static let statuses = [301, 302, 303, 307, 308]

  static let lesson: Lesson = .make(
    15, "redirects", "Redirects", minutes: 15, connection: connection, session: session, claims: [claim])

  private static func redirect(_ status: Int, to path: String = "/echo") -> Example.Resource {
    .path("/redirect/\(status)?to=\(path)")
  }

  private static let connection: [Example] =
    [
      .connection(
        "follow", "follows", "RedirectedConnection", loads: redirect(302), run: RedirectedConnection.following),
      .connection(
        "refuse", "answers nil", "RedirectedConnection", loads: redirect(302), run: RedirectedConnection.refusing),
      .connection(
        "rewrite", "answers with another request", "RedirectedConnection", loads: redirect(302),
        run: RedirectedConnection.rewriting),
      .connection(
        "loop", "a redirect to itself", "RedirectedConnection", loads: .path("/loop"), endsAs: .failed,
        run: RedirectedConnection.following),
      .connection(
        "other-host", "to another host, with a credential", "RedirectedConnection", loads: .path("/elsewhere"),
        run: RedirectedConnection.following),
    ]
    + statuses.map {
      .connection(
        "post-\($0)", "\($0) after a POST", "RedirectedPost", loads: redirect($0), run: RedirectedPost.run)
    }

  private static let session: [Example] =
    [
      .session("follow", "follows", "RedirectedTask", loads: redirect(302), run: RedirectedTask.following),
      .session("refuse", "answers nil", "RedirectedTask", loads: redirect(302), run: RedirectedTask.refusing),
      .session(
        "rewrite", "answers with another request", "RedirectedTask", loads: redirect(302), run: RedirectedTask.rewriting
      ),
      .session(
        "loop", "a redirect to itself", "RedirectedTask", loads: .path("/loop"), endsAs: .failed,
        run: RedirectedTask.following),
      .session(
        "other-host", "to another host, with a credential", "RedirectedTask", loads: .path("/elsewhere"),
        run: RedirectedTask.following),
    ]
    + statuses.map {
      .session(
        "post-\($0)", "\($0) after a POST", "RedirectedPostTask", loads: redirect($0), run: RedirectedPostTask.run)
    }

  private static let claim = Claim(
    "N5-01", .qualified, needs: connection.map(\.id),
    because: "It is called for each redirect, and once before the first request, without a response. The program can "
      + "refuse or rewrite; a circle ends by itself, and a credential stays with its host."
  ) { results, findings in
    for (name, calls, status) in [("follow", 2, 200), ("refuse", 2, 302), ("rewrite", 2, 200)] {
      let run = try results.first("connection/\(name)")
      let asked = run.recording.count(CallbackName.willSend)
      let said = run.line("status ")?.text ?? "no response"
      findings.note(
        "\(name): asked \(asked) times, \(said)", "\(calls) times, status \(status)",
        asked == calls && said == "status \(status)")
    }
    findings.note(
      try results.first("connection/rewrite").requests.last?.target ?? "no request", "/1k",
      try results.first("connection/rewrite").requests.last?.target == "/1k")
    for status in statuses {
      let run = try results.first("connection/post-\(status)")
      let last = run.requests.last
      let keeps = status >= 307
      findings.note(
        "\(status): POST becomes \(last?.method ?? "nothing") with \(last?.bodyBytes ?? 0) bytes",
        keeps ? "stays POST with its body" : "becomes GET without a body",
        run.requests.count == 2 && last?.method == (keeps ? "POST" : "GET") && last?.bodyBytes == (keeps ? 3 : 0))
    }
    let loop = try results.first("connection/loop")
    findings.note(
      "in a circle: \(loop.requests.count) requests, \(loop.result.outcome.error?.name ?? "no error")",
      "an end by itself", loop.result.outcome.error?.name == "NSURLErrorHTTPTooManyRedirects")
    let other = try results.first("connection/other-host")
    let credentials = other.requests.map { $0.fields["authorization"] != nil }
    findings.note(
      "credential sent: \(credentials.map { $0 ? "yes" : "no" }.joined(separator: ", "))", "yes, then no",
      credentials == [true, false])
  }
}
