// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

extension FirstRequest {
  static let claims: [Claim] = [
    Claim("N1-01", .qualified, needs: ["connection/address"], because: encoding, check: checkAddress),
    Claim("N1-36", needs: ["connection/head"], check: checkHead),
    Claim("N2-02", needs: ["connection/policy", "connection/timeout"], check: checkPolicy),
    late("N2-04", "connection/not-started"),
    Claim("N3-01", needs: ["session/json"], check: checkShared),
    late("N3-02", "session/resumed-late", never: "session/never-resumed"),
    Claim(
      "N3-24", .defectShown, needs: ["session/json-no-server", "session/unguarded-no-server"], because: unguarded,
      check: checkUnguarded),
  ]

  private static let encoding: Phrase =
    "Today's URL(string:) encodes what it must by itself, so both forms reach the server alike. "
    + "Asked to be as strict as it was then, it gives no URL."

  private static let unguarded: Phrase =
    "Without a server there is an error and no data. The parser takes data that exists: Objective-C ends the program there "
    + "with an exception, Swift where it unwraps what is missing."

  @Sendable private static func checkAddress(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("connection/address")
    let encoded = "/echo?name=a%20b&word=%E8%AF%BE"
    for name in ["encoded", "plain"] {
      let line = run.line("\(name): ")?.text
      findings.note(
        "\(Phrase(verbatim: run.result.id)), \(Phrase(verbatim: name))",
        line.map { Phrase.quoted(String($0.dropFirst(name.count + 2))) } ?? "printed nothing",
        Phrase.quoted("the server received \(encoded)"), line == "\(name): the server received \(encoded)")
    }
    let strict = run.line("strict: ")?.text
    findings.note(
      "\(Phrase(verbatim: run.result.id)), \(Phrase(verbatim: "strict"))",
      strict.map { Phrase.quoted(String($0.dropFirst(8))) } ?? "printed nothing",
      Phrase.quoted("no URL"), strict == "strict: no URL")
    let targets = run.requests.map(\.target)
    findings.note(
      "the server's log", targets.map { Phrase(verbatim: $0) }.joined(), "\(encoded), twice",
      targets == [encoded, encoded])
  }

  @Sendable private static func checkHead(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("connection/head")
    let methods = run.requests.map(\.method)
    findings.note(
      "the server's log", Phrase(verbatim: methods.joined(separator: ", ")), Phrase(verbatim: "HEAD"),
      methods == ["HEAD"])
    let length = try run.load().responses.first?.expectedLength ?? -1
    findings.note(
      run.label, "the response announces \(length) bytes", "the body's \(announced) bytes",
      length == Int64(announced))
    let data = run.recording.count(CallbackName.receive, "data")
    findings.note(run.label, .count(data, "data callback"), "0", data == 0)
  }

  @Sendable private static func checkPolicy(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("connection/policy")
    let answers = ["first", "again", "reload", "cache only"].map { name in
      run.line("\(name): answer")?.text.dropFirst(name.count + 2) ?? ""
    }
    findings.note(
      run.label, "4 loads, \(Phrase.count(run.requests.count, "request"))",
      "2: the first load and the one that reloads",
      run.requests.count == 2)
    findings.note(
      run.label, answers.map { Phrase.quoted(String($0)) }.joined("; "),
      "the second like the first, the fourth like the third",
      answers[0] == answers[1] && answers[2] == answers[3] && answers[0] != answers[2] && answers[0].hasSuffix(", 200"))
    let silent = try results.first("connection/timeout")
    let waited = try silent.instant(of: "silent server: failed") - silent.instant(of: "silent server: start")
    findings.note(
      silent.label, "gave up after \(Words.seconds(waited))",
      "the request's \(Words.amount(1, "s")), and less than \(Words.amount(10, "s"))",
      waited >= 1 && waited < 10)
  }

  @Sendable private static func checkShared(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("session/json")
    let said = run.line("the document")?.text
    findings.note(
      run.label, said.map(Phrase.quoted) ?? "printed nothing",
      "the lesson's name, from the server's JSON",
      said?.hasSuffix("first-request") == true)
    for (example, marker) in [("session/unguarded", "as-written"), ("session/json", "guarded")] {
      let lines = try SourceLines.count(in: lesson, example, between: marker)
      findings.note(
        Phrase(verbatim: example),
        .count(lines, "line from the session to resume()", "lines from the session to resume()"), "15 at most",
        (1...15).contains(lines))
    }
  }

  @Sendable private static func checkUnguarded(_ results: RunResults, _ findings: inout Findings) throws {
    let bad = try results.first("session/unguarded-no-server")
    findings.note(
      bad.label, bad.result.outcome.sentence, "a crash in place of the error",
      bad.result.outcome.kind == .crashed && bad.line("failed: ") == nil)
    let good = try results.first("session/json-no-server")
    let line = good.line("failed: ")?.text
    findings.note(
      good.label, line.map(Phrase.quoted) ?? "printed nothing",
      "the error, and the program comes to its end",
      line != nil && good.result.outcome.kind == .failed)
  }

  /// Nothing reaches the server before the program starts the load.
  private static func late(_ id: String, _ example: String, never: String? = nil) -> Claim {
    Claim(id, needs: [example] + (never.map { [$0] } ?? [])) { results, findings in
      let run = try results.first(example)
      let now = try run.instant(of: "now")
      let began = run.requests.map(\.began)
      let early = began.count { $0 < now }
      findings.note(
        run.label, "\(Phrase.count(early, "request")) in the first \(Words.seconds(now))",
        "0 in \(Words.amount(1, "s"))", now >= 1 && early == 0)
      findings.note(
        run.label, "\(Phrase.count(began.count - early, "request")) after the start", "1",
        began.count == 1)
      guard let never else { return }
      let idle = try results.first(never)
      findings.note(
        idle.label,
        "\(Phrase.count(idle.requests.count, "request")) in \(Words.seconds(idle.result.time.wall))",
        "0 in \(Words.amount(1, "s"))",
        idle.requests.isEmpty && idle.result.time.wall >= 1)
      let states = idle.line("3 of ")?.text
      findings.note(
        idle.label, states.map(Phrase.quoted) ?? "nothing printed", "one of each kind: data, download, upload",
        states == "3 of 3 tasks are suspended")
    }
  }
}
