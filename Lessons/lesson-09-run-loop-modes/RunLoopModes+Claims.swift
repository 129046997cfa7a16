// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension RunLoopModes {
  static let claims: [Claim] = [
    Claim("N1-24", needs: ["connection/default-mode"]) { results, findings in
      try findings.noteTouch(of: results.first("connection/default-mode"), callbacks: false)
    },
    Claim(
      "N1-25", .qualified,
      needs: [
        "connection/queue-after-start", "connection/queue", "connection/progress-default", "connection/progress-main",
      ],
      because: "A queue that is set after the start gets its events from the loop the connection started on, and "
        + "suffers with it. Set before the start, it needs no loop. Then only what the program itself sends to main can "
        + "wait, and that only in the default mode."
    ) { results, findings in
      try findings.noteTouch(of: results.first("connection/queue-after-start"), callbacks: false)
      try findings.noteTouch(of: results.first("connection/queue"), callbacks: true)
      for (name, moves) in [("progress-default", false), ("progress-main", true)] {
        let run = try results.first("connection/\(name)")
        try findings.noteTouch(of: run, callbacks: true)
        let stretch = try run.touch().stretch
        let bars = run.recording.lines.count { $0.text.hasPrefix("bar:") && stretch.contains($0.instant) }
        findings.note("the bar moved \(bars) times", moves ? "more than 0" : "0", (bars > 0) == moves)
      }
    },
    Claim("N1-26", needs: ["connection/scheduled-late"]) { results, findings in
      try findings.noteTouch(of: results.first("connection/scheduled-late"), callbacks: false)
    },
    Claim("N1-27", needs: ["connection/common-modes"]) { results, findings in
      try findings.noteTouch(of: results.first("connection/common-modes"), callbacks: true)
    },
    Claim(
      "N1-28", needs: ["connection/scheduled-late", "connection/loop-and-queue"],
      because: "Apple calls both an error and does not say what happens. Here the first is refused with a sentence on "
        + "standard error, the second ends the program with one."
    ) { results, findings in
      let late = try results.first("connection/scheduled-late").printed.last { $0.hasPrefix("NSURLConnection: ") }
      findings.note(late ?? "scheduled after the start: nothing said", "said", late?.contains("had no effect") == true)
      let both = try results.first("connection/loop-and-queue").result.outcome.why
      findings.note(both, "ended with the reason", both.contains("scheduled on a run loop and given a delegate queue"))
    },
    Claim("N1-29", needs: ["connection/several-modes", "connection/several-loops"]) { results, findings in
      let modes = try results.first("connection/several-modes")
      let counts = modes.counts { $0.runLoopMode.map(Self.short) ?? "no mode" }
      findings.note("modes: \(counts.words)", "both", Set(counts.keys) == ["default", "tracking"])
      let loops = try results.first("connection/several-loops").counts { $0.thread.main ? "main" : "another thread" }
      findings.note("loops: \(loops.words)", "both", Set(loops.keys) == ["main", "another thread"])
    },
    Claim(
      "N2-13", .qualified, needs: ["connection/default-mode", "connection/common-modes"],
      because: "It blocks what is scheduled in the default mode alone. A connection in the common modes goes on."
    ) { results, findings in
      try findings.noteTouch(of: results.first("connection/default-mode"), callbacks: false)
      try findings.noteTouch(of: results.first("connection/common-modes"), callbacks: true)
    },
  ]

  @Sendable private static func short(_ mode: String) -> String {
    switch mode {
    case "kCFRunLoopDefaultMode": "default"
    case "UITrackingRunLoopMode": "tracking"
    default: mode
    }
  }
}

extension ExampleRun {
  /// How many callbacks came to each kind of place.
  fileprivate func counts(by kind: (PlaceCount) -> String) -> [String: Int] {
    recording.places.reduce(into: [:]) { $0[kind($1), default: 0] += $1.count }
  }
}

extension [String: Int] {
  fileprivate var words: String {
    sorted { $0.key < $1.key }.map { "\($0.value) in \($0.key)" }.joined(separator: ", ")
  }
}

extension Findings {
  /// Callbacks came during the touch, or none; and in the end the body was whole.
  fileprivate mutating func noteTouch(of run: ExampleRun, callbacks comes: Bool) throws {
    let count = try run.touch().callbacks
    note(
      "\(run.name): \(count) of \(run.callbacks) callbacks during the touch", comes ? "more than 0" : "0",
      (count > 0) == comes)
    note(run.result.outcome.checksumOK ? "" : "\(run.name): not the server's bytes", "", run.result.outcome.checksumOK)
  }
}
