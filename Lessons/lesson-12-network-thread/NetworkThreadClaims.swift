// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The claims of lesson 12.
extension NetworkThreadLesson {
  static let claims = [
    port, onNetworkThread("N4-05"), owner, cleared, missingFile, progress, created, unanswered, emptyPath,
    onNetworkThread("N5-11"),
  ]

  private static let port = Claim("N4-04", needs: ["connection/without-port", "connection/mended"]) {
    results, findings in
    let empty = try results.first("connection/without-port")
    let ends = empty.line("the thread ends") != nil
    findings.note(
      empty.label, ends ? "the thread ends" : "the thread lives", "the thread ends", ends)
    let isDone = empty.line("connection") != nil
    findings.note(
      empty.label, isDone ? "the work is done" : "the work is not done", "the work is not done",
      !isDone && empty.requests.isEmpty)
    findings.noteBody(of: try results.first("connection/mended"))
  }

  /// Two notes say it: callbacks come on a thread made for them, whose loop runs.
  private static func onNetworkThread(_ id: String) -> Claim {
    Claim(id, needs: ["connection/mended"]) { results, findings in
      let run = try results.first("connection/mended")
      findings.note(
        run.label, "\(Phrase.count(run.callbacks, "callback")) on \(run.threads)",
        "one thread, the network's",
        run.places.count == 1 && run.places.allSatisfy { $0 == run.line("connection created")?.thread && !$0.main })
      findings.noteBody(of: run)
    }
  }

  private static let owner = Claim(
    "N4-07", .defectShown, needs: ["connection/as-written", "connection/weak-buffer", "connection/in-memory"],
    because: "`assign` keeps a pointer and no object: the buffer is freed at once, and the first piece is written to "
      + "memory that belongs to no object. Declare it `strong`, which in Swift is the rule."
  ) { results, findings in
    let crashed = try results.first("connection/as-written")
    findings.note(
      crashed.label, crashed.result.outcome.sentence, "a crash",
      crashed.result.outcome.kind == .crashed)
    notePrinted(try results.first("connection/weak-buffer"), "the buffer is gone", in: &findings)
    findings.noteFile(of: try results.first("connection/in-memory"))
  }

  private static let cleared = Claim(
    "N4-08", .defectShown, needs: ["connection/owned-buffer", "connection/in-memory"],
    because: "The completion reads the property when it runs, and it runs after the line that clears it. Hand the data "
      + "over as a value, and clear the property afterwards."
  ) { results, findings in
    notePrinted(try results.first("connection/owned-buffer"), "completion: nil", in: &findings)
    notePrinted(try results.first("connection/in-memory"), "completion: the data", in: &findings)
  }

  private static let missingFile = Claim(
    "N4-09", .defectShown, needs: ["connection/with-handle", "connection/mended"],
    because: "A file handle does not make a file. The mended form makes it first."
  ) { results, findings in
    findings.noteFile(of: try results.first("connection/with-handle"), count: 0)
    findings.noteFile(of: try results.first("connection/mended"))
  }

  private static let progress = Claim("N4-12", needs: ["connection/mended"]) { results, findings in
    let run = try results.first("connection/mended")
    let bars = run.recording.lines.filter { $0.text.hasPrefix("bar:") }
    findings.note(
      run.label, "\(bars.count { $0.thread.main }) of \(bars.count) changes of the bar on main",
      "all, and at least 1", !bars.isEmpty && bars.allSatisfy(\.thread.main))
  }

  private static let created = Claim("N4-16", needs: ["connection/mended"]) { results, findings in
    let run = try results.first("connection/mended")
    let creator = run.line("connection created")?.thread
    findings.note(
      run.label, "created on \(creator?.words ?? "no thread"), callbacks on \(run.threads)",
      "the network thread, both times", creator?.main == false && run.places == [creator])
  }

  private static let unanswered = Claim(
    "N4-18", .defectShown, needs: ["connection/as-written-refused", "connection/mended-refused"],
    because: "The failure method looks at the error's code and calls nobody: the caller waits for ever. Call the "
      + "completion after every end, with the error where there is one."
  ) { results, findings in
    let silent = try results.first("connection/as-written-refused")
    let call = silent.line("completion: ")?.text
    let didFail = silent.recording.count(CallbackName.fail) == 1
    findings.note(
      silent.label, didFail ? "the delegate gets the error" : "the delegate gets no error",
      "the delegate gets the error", didFail)
    findings.note(
      silent.label, call.map(Phrase.quoted) ?? "the completion is not called",
      "the completion is not called", call == nil)
    let mended = try results.first("connection/mended-refused")
    let line = mended.line("completion: ")?.text
    findings.note(
      mended.label, line.map(Phrase.quoted) ?? "the completion is not called",
      "the completion is called with the error", line != nil && line != "completion: the file is there")
  }

  private static let emptyPath = Claim(
    "N4-19", .defectShown, needs: ["connection/owned-buffer", "connection/in-memory"],
    because: "No file has an empty name. The call that writes answers false, and the note does not look at the answer."
  ) { results, findings in
    let empty = try results.first("connection/owned-buffer")
    findings.noteFile(of: empty, count: 0)
    findings.note(
      empty.label, "the job \(empty.result.outcome.kind.words), and no error was reported",
      "finished without an error", empty.result.outcome.kind == .finished && empty.result.outcome.error == nil)
    findings.noteFile(of: try results.first("connection/in-memory"))
  }

  /// The program printed exactly this line.
  private static func notePrinted(_ run: ExampleRun, _ line: String, in findings: inout Findings) {
    let start = line.prefix { $0 != ":" }
    let printed = run.result.printed.map(\.text).first { $0.hasPrefix(start.prefix(10)) }
    findings.note(
      run.label, printed.map(Phrase.quoted) ?? "nothing printed", .quoted(line),
      printed == line)
  }
}
