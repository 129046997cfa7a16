// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// How lesson 19 settles the claims of the notes.
extension Caching {
  /// N5-08: what the delegate answers is what is stored.
  static let willCache = Claim(
    "N5-08",
    needs: ["connection/stored", "connection/refused", "connection/annotated", "session/stored", "session/refused"]
  ) { results, findings in
    for name in ["connection/stored", "connection/annotated", "session/stored"] {
      let line = try results.first(name).line("stored: ")?.text ?? "?"
      findings.note(
        Phrase(verbatim: name), .quoted(line), "the response is stored",
        line.hasSuffix(" bytes") && line != "stored: 0 bytes")
    }
    for name in ["connection/refused", "session/refused"] {
      let line = try results.first(name).line("stored: ")?.text ?? "?"
      findings.note(Phrase(verbatim: name), .quoted(line), "nothing is stored", line == "stored: nothing")
    }
    for (name, expected) in [
      ("connection/stored", ["note: none", "in memory only: false"]),
      ("connection/annotated", ["note: seen", "in memory only: true"]),
    ] {
      let run = try results.first(name)
      let lines = ["note: ", "in memory only: "].map { run.line($0)?.text ?? "?" }
      findings.note(
        Phrase(verbatim: name), lines.map(Phrase.quoted).joined(),
        expected.map(Phrase.quoted).joined(), lines == expected)
    }
  }

  /// N1-38: the number means another policy, which asks less and stores.
  static let storagePolicy = Claim(
    "N1-38", .defectShown, needs: ["connection/storage-not-allowed", "connection/nothing-kept"],
    because: "The constant belongs to what may be stored, not to what may be used. As a request's cache policy its "
      + "number 2 means NSURLRequestReturnCacheDataElseLoad: the contrary of what was meant."
  ) { results, findings in
    let wrong = try results.first("connection/storage-not-allowed")
    let number = wrong.line("NSURLCacheStorageNotAllowed is ")?.text ?? "?"
    findings.note(
      wrong.label, .quoted(number), "2, as NSURLRequestReturnCacheDataElseLoad",
      number == "NSURLCacheStorageNotAllowed is 2")
    let (first, second) = (wrong.text(after: "first: "), wrong.text(after: "second: "))
    findings.note(
      wrong.label,
      first == second
        ? "the stale response was used, \(.count(wrong.requests.count, "request")) for 2 loads"
        : "the stale response was not used, \(.count(wrong.requests.count, "request")) for 2 loads",
      "the stale response is used, 1 request", first == second && wrong.requests.count == 1)
    findings.note(
      wrong.label, wrong.line("a response is stored") == nil ? "nothing is stored" : "a response is stored",
      "the response is stored, although the name says the contrary", wrong.line("a response is stored") != nil)
    let right = try results.first("connection/nothing-kept")
    let kept: Phrase = right.line("nothing is") == nil ? "a response is stored" : "nothing is stored"
    findings.note(
      right.label, "\(.count(right.requests.count, "request")) for 2 loads, \(kept)",
      "2 requests, nothing is stored", right.requests.count == 2 && right.line("nothing is stored") != nil)
  }
}

extension ExampleRun {
  /// What the program printed behind this beginning, nil where it printed no such line.
  fileprivate func text(after beginning: String) -> String? {
    line(beginning).map { String($0.text.dropFirst(beginning.count)) }
  }
}
