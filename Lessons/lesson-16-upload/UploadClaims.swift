// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// How lesson 16 settles its claims and its check.
extension Upload {
  /// N3-03: the request that arrived has method and body.
  static let post = Claim(
    "N3-03", .qualified, needs: forms,
    because:
      "The method has to stand in a request: an address alone is a GET. The body may stand there, too; an upload task "
      + "takes it beside the request, as data or as a file."
  ) { results, findings in
    for name in forms {
      let request = try results.first(name).requests.first
      findings.note(
        Phrase(verbatim: name),
        "the server received \(request?.method ?? "?") with \(Words.size(request?.bodyBytes ?? 0))",
        "POST with \(Words.size(21)), those of the form",
        try results.first(name).isRight && request?.method == "POST" && request?.bodyBytes == 21)
    }
  }

  private static let forms = ["connection/form", "session/form", "session/from-data", "session/from-file"]

  /// N5-06: sent twice, with the method and without; the copy is made while the stream is sent.
  static let replay = Claim(
    "N5-06", .qualified,
    needs: ["stream", "stream-307", "stream-second", "stream-copied", "stream-unfinished"].map { "connection/\($0)" },
    because:
      "The method brings the stream for a second sending. Without it the library keeps a copy, on disk and not in "
      + "memory. It makes the copy while it sends, not before. Here it can know of the method only after it has "
      + "called it once, so the first upload of a class is copied, too."
  ) { results, findings in
    for (name, asks) in [("stream", true), ("stream-307", true), ("stream-second", true), ("stream-copied", false)] {
      let run = try results.first("connection/\(name)")
      findings.noteSecondSending(of: run, asks: asks)
    }
    for (name, copied) in [("stream-copied", true), ("stream", true), ("stream-second", false)] {
      let run = try results.first("connection/\(name)")
      findings.noteCopy(of: run, copied: copied)
    }
    findings.noteOrder(of: try results.first("connection/stream-unfinished"))
  }

  /// N5-07: the total of the progress reports falls once, when the second sending begins.
  static let fall = Claim("N5-07", needs: ["connection/stream", "connection/stream-copied", "session/from-stream"]) {
    results, findings in
    for name in ["connection/stream", "connection/stream-copied", "session/from-stream"] {
      let progress = try results.first(name).recording.loads.compactMap(\.progress).first ?? LoadRecord.Progress()
      findings.note(
        Phrase(verbatim: name),
        "the total fell \(.count(progress.falls, "time")), from \(Words.size(Int(progress.fellFrom))) to \(Words.size(Int(progress.fellTo)))",
        "once, from \(Words.size(LargeFile.size)) to less",
        progress.falls == 1 && progress.fellFrom == LargeFile.size && progress.lastTotal == LargeFile.size)
    }
  }

  /// N5-16: what becomes of an opened and of a used-up stream.
  static let unopened = Claim(
    "N5-16", .qualified,
    needs: ["connection/stream-opened", "connection/stream-used-up"],
    because:
      "A stream that is open but unread is sent whole here; Apple asks for one that is not open. What matters is "
      + "that it is a new one: from a used-up stream the load has nothing to send, and fails."
  ) { results, findings in
    let opened = try results.first("connection/stream-opened")
    findings.note(
      opened.label, "\(Words.size(opened.requests.last?.bodyBytes ?? 0)) arrived the second time",
      "the whole file, \(Words.size(LargeFile.size))", opened.isRight)
    let usedUp = try results.first("connection/stream-used-up")
    let error = usedUp.result.outcome.error?.words ?? "no error"
    findings.note(
      usedUp.label,
      "\(Words.size(usedUp.requests.last?.bodyBytes ?? 0)) arrived the second time, \(Phrase(verbatim: error))",
      "an error, NSURLErrorRequestBodyStreamExhausted",
      usedUp.requests.count == 2 && usedUp.requests.last?.bodyBytes == 0
        && usedUp.result.outcome.error?.code == -1021)
  }

  /// P16-01: a task's delegate brings the first stream, too.
  static let firstStream = Claim("P16-01", needs: ["session/from-stream", "connection/stream"]) { results, findings in
    for (name, expected) in [("session/from-stream", 2), ("connection/stream", 1)] {
      let run = try results.first(name)
      let calls = run.recording.lines.count { $0.text == "a new stream is asked for" }
      findings.note(
        Phrase(verbatim: name), "asked \(.count(calls, "time")) for \(.count(run.requests.count, "request"))",
        "asked \(.count(expected, "time")) for \(.count(2, "request"))", calls == expected && run.requests.count == 2)
    }
  }
}

extension Findings {
  /// The last request brought the whole file, and the delegate was asked for it or not.
  fileprivate mutating func noteSecondSending(of run: ExampleRun, asks: Bool) {
    let wasAsked = run.line("a new stream is asked for") != nil
    let bytes = run.requests.last?.bodyBytes ?? 0
    note(
      run.label,
      wasAsked
        ? "the delegate was asked; \(Words.size(bytes)) arrived the second time"
        : "the delegate was not asked; \(Words.size(bytes)) arrived the second time",
      asks ? "asked, the whole file arrives" : "not asked, the whole file arrives",
      run.isRight && wasAsked == asks)
  }

  /// The copy lies on disk, in a file without a name, and not in memory.
  fileprivate mutating func noteCopy(of run: ExampleRun, copied: Bool) {
    let (disk, memory) = (run.recording.unnamedFileBytes, run.result.memory.growth)
    note(
      run.label,
      disk < 1 << 20
        ? "no copy on disk, memory +\(Words.size(memory))"
        : "a copy of \(Words.size(disk)) on disk, memory +\(Words.size(memory))",
      copied
        ? "a copy of at least \(Words.amount(57.6, "MiB")), memory at most +\(Words.amount(4, "MiB"))"
        : "no copy, memory at most +\(Words.amount(4, "MiB"))",
      memory <= Self.flatBound && (copied ? disk >= LargeFile.size * 9 / 10 : disk < 1 << 20))
  }

  /// The first bytes were sent before the last one was written.
  fileprivate mutating func noteOrder(of run: ExampleRun) {
    let sent = run.line("the first bytes are sent")
    let whole = run.line("the last byte is written")
    note(
      run.label,
      sent == nil
        ? "nothing was sent before the stream's end was there"
        : "the first bytes were sent when \(Words.amount(64, "KiB")) of \(Words.amount(64, "MiB")) were written",
      "sent before the stream's end is there", sent != nil && whole != nil && run.isRight)
  }
}
