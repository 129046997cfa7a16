// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// How lesson 17 settles its claims and its checks.
extension Challenges {
  private static let modern = "connection(_:willSendRequestFor:)"
  private static let legacy = [
    "connectionShouldUseCredentialStorage(_:)", "connection(_:canAuthenticateAgainstProtectionSpace:)",
  ]

  /// N4-01: five of the six methods are called; without any of them the load works all the same.
  static let protocolMethods = Claim(
    "N4-01", needs: ["basic", "wrong", "legacy", "without-methods"].map { "connection/\($0)" },
    because: "The sixth method, didCancel, is for a challenge that the load takes back. No time-out runs here while a "
      + "challenge waits, so no example can bring that about."
  ) { results, findings in
    let basic = try results.first("connection/basic")
    findings.noteCalled(modern, by: basic)
    findings.note(
      basic.label,
      basic.line("the legacy method") == nil
        ? "the legacy method beside it was not called" : "the legacy method beside it was called", "not called",
      basic.line("the legacy method") == nil)
    for method in legacy { findings.noteCalled(method, by: try results.first("connection/legacy")) }
    findings.noteCalled(CallbackName.receive, "challenge", by: try results.first("connection/legacy"))
    findings.noteCalled(CallbackName.fail, by: try results.first("connection/wrong"))
    let without = try results.first("connection/without-methods")
    findings.note(
      without.label, Phrase.quoted(without.line("status ")?.text ?? "?"),
      "no crash: the 401 is the response", without.line("status 401") != nil)
  }

  /// N5-13: the delegate is asked; the synchronous form gets in with a stored credential alone, and the handler of the
  /// queue-asynchronous form gets the 401 as an error.
  static let delegateForm = Claim(
    "N5-13", .qualified, needs: ["basic", "digest", "synchronous", "queue-401", "stored"].map { "connection/\($0)" },
    because: "Only a delegate can be asked. A credential that is known before the load needs no delegate: the stored "
      + "one lets the synchronous form in, too. Without one, the synchronous form gets the 401 as a response here, as Apple "
      + "documents: the load continues without credentials. Programs on Apple's systems report another end, no response and "
      + "NSURLErrorUserCancelledAuthentication (-1012). The queue-asynchronous form ends with -1012 by its documentation, too."
  ) { results, findings in
    for (name, status, asked) in [("basic", 200, 1), ("digest", 200, 1), ("synchronous", 401, 0), ("stored", 200, 0)] {
      let run = try results.first("connection/\(name)")
      let calls = run.recording.count(modern)
      let carries = run.requests.last?.fields["authorization"] != nil
      findings.note(
        run.label,
        "\(Phrase.quoted(run.line("status ")?.text ?? "?")), the delegate was asked \(.count(calls, "time"))",
        "status \(status), asked \(.count(asked, "time"))",
        run.line("status \(status)") != nil && calls == asked && carries == (status == 200))
    }
    let queued = try results.first("connection/queue-401")
    let error = queued.result.outcome.error?.name ?? "?"
    findings.note(
      queued.label, "\(Phrase.quoted(queued.recording.lines.first?.text ?? "?")), \(error)",
      "no response, the body, NSURLErrorUserCancelledAuthentication",
      queued.line("no response") != nil && queued.result.outcome.bytes > 0
        && error == "NSURLErrorUserCancelledAuthentication")
  }

  /// P17-01: a delegate that does not count is stopped by the library, one that counts stops by itself.
  static let endless = Claim("P17-01", needs: ["connection/endless", "connection/wrong"]) { results, findings in
    let endless = try results.first("connection/endless")
    findings.note(
      endless.label,
      "\(.count(endless.requests.count, "request")), \(Phrase.quoted(endless.line("status ")?.text ?? "?"))",
      "6 requests, then the 401", endless.requests.count == 6 && endless.line("status 401") != nil)
    let counted = try results.first("connection/wrong")
    findings.note(
      counted.label,
      "\(.count(counted.requests.count, "request")), \(counted.result.outcome.error?.name ?? "?")",
      "4 requests, NSURLErrorUserCancelledAuthentication",
      counted.requests.count == 4 && counted.result.outcome.error?.name == "NSURLErrorUserCancelledAuthentication")
  }

  /// P17-02: what a task's dispositions do.
  static let dispositions = Claim("P17-02", needs: ["session/basic", "session/default", "session/cancelled"]) {
    results, findings in
    for (name, line, requests) in [("basic", "status 200", 2), ("default", "status 401", 1)] {
      let run = try results.first("session/\(name)")
      findings.note(
        Phrase(verbatim: run.result.id),
        "\(Phrase.quoted(run.line("status ")?.text ?? "?")), \(.count(run.requests.count, "request"))",
        "\(Phrase.quoted(line)), \(.count(requests, "request"))",
        run.line(line) != nil && run.requests.count == requests)
    }
    let cancelled = try results.first("session/cancelled")
    let error = cancelled.result.outcome.error?.name ?? ""
    findings.note(
      Phrase(verbatim: cancelled.result.id), Phrase(verbatim: error), Phrase(verbatim: "NSURLErrorCancelled"),
      error == "NSURLErrorCancelled")
  }
}

extension Findings {
  fileprivate mutating func noteCalled(_ name: String, _ detail: String = "", by run: ExampleRun) {
    let count = run.recording.count(name, detail)
    let method = detail.isEmpty ? name : "\(name) \(detail)"
    note(run.label, "\(method): \(.count(count, "call"))", "called", count > 0)
  }
}
