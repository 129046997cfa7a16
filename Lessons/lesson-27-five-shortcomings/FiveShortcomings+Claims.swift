// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension FiveShortcomings {
  static let claims: [Claim] = [
    Claim(
      "N3-22", .qualified, needs: dependent,
      because:
        "A connection as the notes start it depends on the loop of the thread that starts it and on that loop's mode. "
        + "A session depends on neither, and nor does a connection that has its queue before it starts: a session has one "
        + "from the beginning."
    ) { results, findings in
      try findings.noteDependence(results, "")
    },
    Claim(
      "N4-02", .qualified, needs: ["connection/data", "connection/upload", "connection/download"],
      because:
        "Data and upload share a protocol, as the note says. A download has one of its own, which Apple documents "
        + "for Newsstand alone, and which the note does not name."
    ) { results, findings in
      for (name, wanted) in [("data", dataProtocol), ("upload", dataProtocol), ("download", downloadProtocol)] {
        findings.noteProtocols(of: try results.first("connection/\(name)"), wanted)
      }
    },
    Claim(
      "N4-10", .qualified,
      needs: dependent + [
        "connection/data", "connection/upload", "session/data-delegate", "session/upload", "session/download",
        "connection/start-cancel",
        "session/resumed",
      ],
      because:
        "Three of the five hold for a delegate as the note has it. The first does not: a connection that gets a queue "
        + "before it starts needs no thread of the program's own, and main stays free. The third does not hold for "
        + "uploads: didSendBodyData reports their progress.", check: checkFive),
    Claim(
      "N5-12", .qualified,
      needs: [
        "connection/handler", "connection/collected", "connection/piece-by-piece", "session/task-handler",
        "session/download",
      ],
      leastBody: 8 << 20,
      because:
        "Asynchronous alone saves nothing. Only what is written piece by piece, or by a download task, stays flat."
    ) { results, findings in
      for name in ["connection/handler", "connection/collected", "session/task-handler"] {
        findings.noteGrowth(of: try results.first(name), body: results.bodyBytes, in: 0.95...1.3)
      }
      for name in ["connection/piece-by-piece", "session/download"] { findings.noteFlat(try results.first(name)) }
    },
    Claim(
      "N5-14", .qualified,
      needs: [
        "connection/handler", "connection/data", "session/task-handler", "session/download", "session/resumed",
      ],
      leastBody: 8 << 20,
      because:
        "A connection reports to its delegate alone. A session's task also counts its bytes for whoever asks, with a "
        + "handler, too."
    ) { results, findings in
      for name in ["connection/handler", "session/task-handler"] {
        let count = try results.first(name).callbacks
        findings.note(Phrase(verbatim: name), .count(count, "callback"), "1", count == 1)
      }
      let pieces = try results.first("connection/data").recording.count(CallbackName.receive, "data")
      findings.note(
        Phrase(verbatim: "connection/data"), .count(pieces, "piece reported", "pieces reported"), "at least \(2)",
        pieces >= 2)
      let reports = try results.first("session/download").recording.count(CallbackName.write)
      findings.note(
        Phrase(verbatim: "session/download"), .count(reports, "report of progress", "reports of progress"),
        "at least \(2)", reports >= 2)
      findings.noteCount(of: try results.first("session/resumed"))
    },
  ]

  /// Whether a load depends on the loop of the thread that starts it, and on that loop's mode.
  private static let dependent =
    ["in-a-block", "in-a-block-queue", "touched", "touched-queue"].map { "connection/\($0)" }
    + ["in-a-block", "touched"].map { "session/\($0)" }

  private static let dataProtocol = "NSURLConnectionDataDelegate"
  private static let downloadProtocol = "NSURLConnectionDownloadDelegate"

  @Sendable private static func checkFive(_ results: RunResults, _ findings: inout Findings) throws {
    try findings.noteDependence(results, "1: ")
    let queued = try results.first("connection/touched-queue")
    findings.note(
      Phrase(verbatim: "1: connection/touched-queue"), "callbacks on \(queued.threads)", "never main",
      !queued.places.isEmpty && !queued.places.contains(where: \.main))
    for name in ["connection/data", "connection/upload"] {
      findings.noteProtocols(of: try results.first(name), dataProtocol, "2: ")
    }
    for (name, wanted) in [("data-delegate", "URLSessionDataDelegate"), ("download", "URLSessionDownloadDelegate")] {
      findings.noteProtocols(of: try results.first("session/\(name)"), wanted, "2: ")
    }
    try findings.noteReports(results, "connection/data", atLeast: 0)
    try findings.noteReports(results, "session/download", atLeast: 1)
    for name in ["connection/upload", "session/upload"] { try findings.noteReports(results, name, atLeast: 2) }
    for (name, wanted) in [("connection/data", 0), ("session/download", 1)] {
      let files = try results.first(name).recording.loads.first?.files ?? 0
      findings.note(
        Phrase(verbatim: "4: \(name)"), .count(files, "file handed over", "files handed over"),
        Phrase(verbatim: "\(wanted)"), files == wanted)
    }
    let cancel = try results.first("connection/start-cancel")
    findings.note(
      Phrase(verbatim: "5: connection/start-cancel"), cancel.result.outcome.kind.words, "was cancelled",
      cancel.result.outcome.kind == .cancelled)
    let states = try results.first("session/resumed").recording.lines.count { $0.text.contains(": suspended,") }
    findings.note(
      Phrase(verbatim: "5: session/resumed"), .count(states, "line that says suspended", "lines that say suspended"),
      "at least \(2)",
      states >= 2)
  }
}

extension ExampleRun {
  /// The called methods with the protocol that each belongs to: a connection's by their Swift names, a session's by the
  /// label of the task. Methods of the protocol for all tasks are left out.
  fileprivate var methods: [(name: String, owner: String)] {
    recording.callbacks.filter(\.implemented).compactMap { callback in
      Self.owner(of: callback.name).map { (callback.name + callback.detail, $0) }
    }
  }

  private static func owner(of method: String) -> String? {
    if method.hasPrefix("urlSession") {
      if method.contains("_:dataTask:") { return "URLSessionDataDelegate" }
      return method.contains("_:downloadTask:") ? "URLSessionDownloadDelegate" : nil
    }
    let isDownload = method.contains("didWriteData") || method.contains("Downloading")
    return isDownload ? "NSURLConnectionDownloadDelegate" : "NSURLConnectionDataDelegate"
  }
}

extension Findings {
  /// The example's delegate methods belong to this protocol alone.
  fileprivate mutating func noteProtocols(of run: ExampleRun, _ wanted: String, _ number: String = "") {
    let (names, owners) = (Set(run.methods.map(\.name)), Set(run.methods.map(\.owner)).sorted())
    note(
      Phrase(verbatim: "\(number)\(run.result.id)"),
      "\(Phrase.count(names.count, "method")) called, of \(owners.joined(separator: ", "))",
      "of \(wanted) alone", owners == [wanted])
  }

  /// The example's delegate heard so many reports of progress: none, or at least this many.
  fileprivate mutating func noteReports(_ results: RunResults, _ name: String, atLeast least: Int) throws {
    let count = try results.first(name).recording.loads.first?.progress?.count ?? 0
    note(
      Phrase(verbatim: "3: \(name)"), .count(count, "report of progress", "reports of progress"),
      least == 0 ? "none" : "at least \(least)", least == 0 ? count == 0 : count >= least)
  }

  /// Started in a block, and touched on the screen: the connection waits, unless it has a queue; the session does not.
  fileprivate mutating func noteDependence(_ results: RunResults, _ number: String) throws {
    for (name, depends) in [
      ("connection/in-a-block", true), ("connection/in-a-block-queue", false), ("session/in-a-block", false),
    ] {
      let count = try results.first(name).callbacks
      note(
        Phrase(verbatim: number + name), .count(count, "callback"), depends ? "none" : "at least \(1)",
        (count == 0) == depends)
    }
    for (name, depends) in [
      ("connection/touched", true), ("connection/touched-queue", false), ("session/touched", false),
    ] {
      let count = try results.first(name).touch().callbacks
      note(
        Phrase(verbatim: number + name),
        .count(count, "callback from 0.1 s into the touch on", "callbacks from 0.1 s into the touch on"),
        depends ? "none" : "at least \(1)", (count == 0) == depends)
    }
  }
}
