// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Lesson 1.
enum FirstRequest {
  private static let json = Example.Resource.path("/json")

  static let lesson: Lesson = .make(
    1, "first-request", "The first request", minutes: 12,
    connection: [
      .connection("json", "synchronous GET of JSON", "SynchronousJSON", loads: json, run: SynchronousJSON.run),
      .connection("head", "HEAD: the headers without the body", "HeadersOnly", run: HeadersOnly.run),
      .connection(
        "not-started", "created without starting, started a second later", "ConnectionNotStarted", loads: json,
        run: ConnectionNotStarted.run),
      .connection(
        "address", "an address with a space and a Chinese word", "AddressWithSpaces", loads: .path("/echo"),
        run: AddressWithSpaces.run),
      .connection(
        "policy", "cache policy and time-out of the request", "RequestPolicy",
        loads: .path("/cached?control=max-age%3D60"),
        endsAs: .failed, run: RequestPolicy.run),
    ],
    session: [
      .session("json", "shared session, JSON", "SharedJSON", loads: json, run: SharedJSON.run),
      .session("resumed-late", "resumed a second later", "ResumedLate", loads: json, run: ResumedLate.resumedLate),
      .session(
        "never-resumed", "the task that nobody resumed (defective)", "ResumedLate", loads: json, endsAs: .timedOut,
        run: ResumedLate.neverResumed
      ).limited(to: .seconds(2)),
    ],
    claims: claims)

  private static let claims: [Claim] = [
    Claim("N1-01", .qualified, needs: ["connection/address"], because: encoding) { results, findings in
      let run = try results.first("connection/address")
      let targets = run.requests.map(\.target)
      let encoded = "/echo?name=a%20b&word=%E8%AF%BE"
      findings.note(
        "the server received \(targets.joined(separator: " and "))", "\(encoded), twice", targets == [encoded, encoded])
      let strict = run.line("strict: ")?.text ?? "nothing printed"
      findings.note(strict, "no URL", strict == "strict: no URL")
    },
    Claim("N1-36", needs: ["connection/head"]) { results, findings in
      let run = try results.first("connection/head")
      let data = run.recording.count(CallbackName.receive, "data")
      let length = try run.load().responses.first?.expectedLength ?? -1
      findings.note(
        "\(run.requests.first?.method ?? "no request"), \(data) data callbacks, announced length \(length)",
        "HEAD, 0, \(results.bodyBytes)",
        run.requests.map(\.method) == ["HEAD"] && data == 0 && length == results.bodyBytes)
    },
    Claim("N2-02", needs: ["connection/policy"]) { results, findings in
      let run = try results.first("connection/policy")
      let answers = ["first", "again", "reload", "cache only"].map { name in
        run.line("\(name): ")?.text.dropFirst(name.count + 2).trimmingPrefix { $0.isNewline } ?? ""
      }
      let requests = run.requests.count { $0.target.hasPrefix("/cached") }
      findings.note(
        "4 loads, \(requests) requests", "2: the first and the one that reloads",
        requests == 2 && answers[0] == answers[1] && answers[2] == answers[3] && answers[0] != answers[2])
      let silent = try run.instant(of: "silent server: failed with -1001") - run.instant(of: "cache only: ")
      findings.note(
        "a silent server was left after \(Words.seconds(silent))", "1 s, its time-out", silent >= 1 && silent < 10)
    },
    late("N2-04", "connection/not-started"),
    Claim("N3-01", needs: ["session/json"]) { results, findings in
      let said = try results.first("session/json").line("the document")?.text ?? "nothing printed"
      findings.note(said, "lesson first-request", said.hasSuffix("first-request"))
      let lines = try SourceLines.count(in: lesson, "session/json")
      findings.note("\(lines) lines", "15 at most", lines <= 15)
    },
    late("N3-02", "session/resumed-late", never: "session/never-resumed"),
  ]

  private static let encoding =
    "Today's URL(string:) encodes what it must by itself, so both forms reach the server alike. "
    + "Asked to be as strict as it was then, it gives no URL."

  /// Nothing reaches the server before the program starts the load.
  private static func late(_ id: String, _ example: String, never: String? = nil) -> Claim {
    Claim(id, needs: [example] + (never.map { [$0] } ?? [])) { results, findings in
      let run = try results.first(example)
      let now = try run.instant(of: "now")
      let began = run.requests.map(\.began)
      findings.note(
        "started after \(Words.seconds(now)), \(began.count { $0 < now }) requests before, \(began.count) in all",
        "after 1 s, 0, 1", now >= 1 && began.count == 1 && began.allSatisfy { $0 >= now })
      guard let never else { return }
      let idle = try results.first(never)
      findings.note(
        "never resumed: \(idle.requests.count) requests in \(Words.seconds(idle.result.time.wall))", "0 in 1 s",
        idle.requests.isEmpty && idle.result.time.wall >= 1)
    }
  }
}
