// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

extension Resume {
  static let claims: [Claim] = [
    Claim("N3-14", needs: ["session/paused-twice", "session/paused-twice-guarded"]) { results, findings in
      let lost = try results.first("session/paused-twice")
      findings.noteAnswers(of: lost, ["some", "none"])
      findings.notePrinted("there is nothing to resume", by: lost)
      findings.noteFile(of: lost, "no file")
      let guarded = try results.first("session/paused-twice-guarded")
      findings.noteAnswers(of: guarded, ["some"])
      findings.noteFile(of: guarded, right)
    },
    Claim("N3-15", needs: ["session/resumed", "session/new-process"]) { results, findings in
      for name in ["session/resumed", "session/new-process"] {
        let run = try results.first(name)
        findings.noteRest(of: run, whole: results.bodyBytes / 4)
        findings.noteFile(of: run, right)
      }
    },
    Claim(
      "N3-16", .qualified, needs: ["session/no-data", "session/empty-data", "session/nil-data"],
      because: "It is the guard in the note's button that does nothing. The API itself does something: with empty "
        + "data it makes a task, which fails, and without data the program ends.", check: checkWithoutData),
    Claim("N3-18", needs: ["session/resumed"]) { results, findings in
      let run = try results.first("session/resumed")
      let range = run.result.traffic.ranges.last ?? ""
      let offset = range.dropFirst("bytes=".count).prefix { $0 != "-" }
      let wanted = "resumed at \(offset) of \(results.bodyBytes / 4)"
      findings.note(
        Phrase(verbatim: "session/resumed"), printed(run.line("resumed at ")?.text),
        "the offset of the Range header, and the size: \(Phrase.quoted(wanted))",
        !offset.isEmpty && run.line("resumed at ")?.text == wanted)
    },
    Claim(
      "N3-23", .defectShown, needs: ["session/resumed-at-once", "session/resumed-at-once-mended"],
      because: "The handler needs a moment, for the library writes the partial file first. A button that looks at the "
        + "data before that finds nil, and the press is lost.", check: checkAtOnce),
    Claim(
      "N4-13", .qualified,
      needs: servers.flatMap { ["connection/range\($0)", "connection/checked\($0)", "session/resumed\($0)"] },
      because: "The header alone is a wish. A server may send everything, or the rest of another file; the status, "
        + "Content-Range and the validator tell. A download task looks at them itself."
    ) { results, findings in
      for name in servers {
        findings.noteFile(of: try results.first("connection/range\(name)"), name.isEmpty ? right : "a spoilt file")
        findings.noteFile(of: try results.first("connection/checked\(name)"), right)
        findings.noteFile(of: try results.first("session/resumed\(name)"), right)
      }
    },
  ]

  static let checks: [Claim] = [
    Claim("P22-01", needs: ["session/killed"]) { results, findings in
      let run = try results.first("session/killed")
      findings.notePrinted("tasks from before: 1", by: run)
      findings.note(
        run.label, .count(run.requests.count, "request"), "1: nothing is loaded twice", run.requests.count == 1)
      findings.noteFile(of: run, right)
      findings.notePrinted("all that had ended was delivered", by: run)
    }
  ]

  /// What a finished file should be.
  static let right: Phrase = "the server's file"

  /// A printed line, or a phrase that says there was none.
  static func printed(_ line: String?) -> Phrase { line.map(Phrase.quoted) ?? "nothing printed" }

  @Sendable private static func checkWithoutData(_ results: RunResults, _ findings: inout Findings) throws {
    let guarded = try results.first("session/no-data")
    findings.notePrinted("there is nothing to resume", by: guarded)
    findings.note(
      Phrase(verbatim: "session/no-data"), .count(guarded.requests.count, "request"), "0 requests",
      guarded.requests.isEmpty)
    let empty = try results.first("session/empty-data")
    findings.notePrinted("failed: -1002", by: empty)
    findings.note(
      Phrase(verbatim: "session/empty-data"), .count(empty.requests.count, "request"), "0 requests",
      empty.requests.isEmpty)
    let missing = try results.first("session/nil-data").result.outcome
    findings.note(Phrase(verbatim: "session/nil-data"), missing.kind.words, "crashed", missing.kind == .crashed)
  }

  @Sendable private static func checkAtOnce(_ results: RunResults, _ findings: inout Findings) throws {
    let lost = try results.first("session/resumed-at-once")
    let (press, answer) = try (lost.instant(of: "there is nothing to resume"), lost.instant(of: "resume data: some"))
    findings.note(
      Phrase(verbatim: "session/resumed-at-once"), "the press \(Words.milliseconds(answer - press)) before the data",
      "the data is not there yet", answer > press)
    findings.note(
      Phrase(verbatim: "session/resumed-at-once"), .count(lost.requests.count, "request"), "1: nothing starts",
      lost.requests.count == 1)
    findings.noteFile(of: lost, "no file")
    let mended = try results.first("session/resumed-at-once-mended")
    findings.noteRest(of: mended, whole: results.bodyBytes / 4)
    findings.noteFile(of: mended, right)
  }
}

extension Findings {
  /// What the example's file `download` is, compared with the server's.
  fileprivate mutating func noteFile(of run: ExampleRun, _ bound: Phrase) {
    let found: Phrase =
      switch run.result.product?.comparison {
      case .equal: Resume.right
      case .different: "a spoilt file"
      case .missing, nil: "no file"
      }
    note(run.label, found, bound, found == bound)
  }

  /// What the handlers of the pauses were given, in order.
  fileprivate mutating func noteAnswers(of run: ExampleRun, _ wanted: [String]) {
    let said = run.recording.lines.map(\.text).filter { $0.hasPrefix("resume data: ") }
    let wanted = wanted.map { "resume data: \($0)" }
    note(
      run.label, said.isEmpty ? "nothing printed" : said.map(Phrase.quoted).joined(),
      wanted.map(Phrase.quoted).joined(), said == wanted)
  }

  /// The program printed the line.
  fileprivate mutating func notePrinted(_ line: String, by run: ExampleRun) {
    note(
      run.label, Resume.printed(run.line(line)?.text), .quoted(line), run.line(line) != nil)
  }

  /// The second request asked for the rest, and the server sent no more than that and a head.
  fileprivate mutating func noteRest(of run: ExampleRun, whole: Int) {
    guard run.requests.count == 2, let range = run.requests[1].range, let offset = Int(range.dropFirst(6).dropLast())
    else {
      return note(
        run.label, "\(Phrase.count(run.requests.count, "request")), the last without a range",
        "a request for the rest", false)
    }
    let (sent, rest) = (run.requests[1].bytesSent, whole - offset)
    note(
      run.label, "asked for \(range), the server sent \(sent) bytes",
      "the \(rest) bytes behind \(offset), and a head of \(Words.amount(1, "KiB")) at most",
      offset > 0 && sent >= rest && sent < rest + 1024)
  }
}
