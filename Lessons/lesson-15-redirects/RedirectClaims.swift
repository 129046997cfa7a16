// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// How lesson 15 settles its claim and its checks.
extension Redirects {
  /// N5-01: for each status, one question about the redirect, and one before the first request.
  static let asked = Claim(
    "N5-01", .qualified, needs: statuses.map { "connection/post-\($0)" },
    because: "It is called for each redirect. It is also called once before the first request, without a response: a "
      + "delegate that takes every call for a redirect is wrong."
  ) { results, findings in
    for status in statuses {
      let run = try results.first("connection/post-\(status)")
      let lines = run.recording.lines.map(\.text).filter { $0.hasPrefix("asked") }
      let calls = run.recording.count(CallbackName.willSend)
      findings.note(
        run.label,
        "\(.count(calls, "call")): \(lines.map(Phrase.quoted).joined())",
        "once before the first request, once about the \(status)",
        calls == 2 && lines == ["asked before the first request", "asked about a \(status)"])
    }
  }

  /// P15-01: the status decides about method and body.
  static let methods = Claim("P15-01", needs: statuses.flatMap { ["connection/post-\($0)", "session/post-\($0)"] }) {
    results, findings in
    for side in ["connection", "session"] {
      for status in statuses {
        let run = try results.first("\(side)/post-\(status)")
        let (last, keeps) = (run.requests.last, status >= 307)
        findings.note(
          Phrase(verbatim: run.result.id),
          "the second request is a \(last?.method ?? "?") with \(last?.bodyBytes ?? 0) bytes",
          keeps ? "a POST with 3 bytes" : "a GET with 0 bytes",
          run.requests.count == 2 && last?.method == (keeps ? "POST" : "GET") && last?.bodyBytes == (keeps ? 3 : 0))
      }
    }
  }

  /// P15-02: nil refuses, another request takes the place.
  static let answers = Claim(
    "P15-02", needs: ["connection/refuse", "session/refuse", "connection/rewrite", "session/rewrite"]
  ) { results, findings in
    for side in ["connection", "session"] {
      let refused = try results.first("\(side)/refuse")
      findings.note(
        Phrase(verbatim: refused.result.id),
        "\(.count(refused.requests.count, "request")), \(Phrase.quoted(refused.line("status ")?.text ?? "?"))",
        "1 request, status 302", refused.requests.count == 1 && refused.line("status 302") != nil)
      let rewritten = try results.first("\(side)/rewrite")
      findings.note(
        Phrase(verbatim: rewritten.result.id), "the last request asks for \(rewritten.requests.last?.target ?? "?")",
        Phrase(verbatim: "/1k"), rewritten.requests.last?.target == "/1k")
    }
  }

  /// P15-03: a circle ends by itself.
  static let circle = Claim("P15-03", needs: ["connection/loop", "session/loop"]) { results, findings in
    for side in ["connection", "session"] {
      let run = try results.first("\(side)/loop")
      let error = run.result.outcome.error?.name ?? ""
      findings.note(
        Phrase(verbatim: run.result.id), "\(.count(run.requests.count, "request")), \(Phrase(verbatim: error))",
        "21 requests, NSURLErrorHTTPTooManyRedirects",
        error == "NSURLErrorHTTPTooManyRedirects" && run.requests.count == 21)
    }
  }

  /// P15-04: a credential stays with its host, unless the delegate puts it back.
  static let credential = Claim(
    "P15-04",
    needs: ["connection/other-host", "session/other-host", "connection/credential-home", "connection/credential-back"]
  ) { results, findings in
    let expected = [
      ("connection/other-host", false), ("session/other-host", false), ("connection/credential-home", false),
      ("connection/credential-back", true),
    ]
    for (name, leaves) in expected {
      let sent = try results.first(name).requests.map { $0.fields["authorization"] != nil }
      findings.note(
        Phrase(verbatim: name),
        sent.last == true ? "the other host was sent the credential" : "the other host was not sent the credential",
        leaves ? "sent: the delegate put it back" : "not sent", sent == [true, leaves])
    }
  }

  /// P15-05: a task's delegate is asked about redirects alone.
  static let taskAsked = Claim("P15-05", needs: ["session/follow"]) { results, findings in
    let calls = try results.first("session/follow").recording.count(CallbackName.redirect)
    findings.note(Phrase(verbatim: "session/follow"), .count(calls, "call"), .count(1, "call"), calls == 1)
  }
}
