// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension RunLoopModes {
  static let claims: [Claim] = [
    stopped,
    queued,
    Claim("N1-26", needs: ["connection/scheduled-late"]) { results, findings in
      try findings.noteTouch(of: results.first("connection/scheduled-late"), callbacks: false)
    },
    Claim("N1-27", needs: ["connection/common-modes"]) { results, findings in
      try findings.noteTouch(of: results.first("connection/common-modes"), callbacks: true)
    },
    Claim("N1-28", needs: ["connection/scheduled-late", "connection/loop-and-queue"], because: errors) {
      results, findings in
      let late = try results.first("connection/scheduled-late")
      let sentence = late.printed.last { $0.hasPrefix("NSURLConnection: ") }
      findings.note(
        late.label, sentence.map(Phrase.quoted) ?? "no sentence on standard error",
        "a sentence on standard error", sentence?.contains("had no effect") == true)
      try findings.noteTouch(of: late, callbacks: false)
      let both = try results.first("connection/loop-and-queue").result.outcome
      findings.note(
        Phrase(verbatim: "connection/loop-and-queue"), both.sentence, "ended with the reason",
        both.kind == .crashed && both.why.description.contains("scheduled on a run loop and given a delegate queue"))
    },
    Claim("N1-29", needs: ["connection/several-modes", "connection/several-loops"]) { results, findings in
      let modes = try results.first("connection/several-modes")
      let counts = modes.counts { $0.runLoopMode ?? "-" }
      findings.note(
        modes.label, counts.words, "both modes",
        Set(counts.keys) == ["kCFRunLoopDefaultMode", "UITrackingRunLoopMode"])
      let loops = try results.first("connection/several-loops")
      let threads = loops.places
      let words = threads.map { thread -> Phrase in
        let count = loops.recording.places.filter { $0.thread == thread }.reduce(0) { $0 + $1.count }
        return "\(count) callbacks on \(thread.words)"
      }
      findings.note(
        loops.label, words.joined(), "both threads",
        threads.count == 2 && threads.contains(where: \.main))
    },
    phase,
    Claim("N4-17", .refuted, needs: ["connection/four-modes"], because: common) { results, findings in
      let run = try results.first("connection/four-modes")
      for (mode, comes) in fourModes {
        let said = run.line(mode + ": ")?.text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        // The note calls the default mode by its constant's name; its string is Core Foundation's.
        let name = mode == "kCFRunLoopDefaultMode" ? "NSDefaultRunLoopMode" : mode
        findings.note(
          Phrase(verbatim: name), said.map { "\($0) pieces of data" } ?? "nothing printed",
          comes ? "more than 0" : "0", said.map { ($0 > 0) == comes } ?? false)
      }
    },
  ]

  /// The modes of the note's list, and whether they belong to the common ones of the main loop here.
  private static let fourModes = [
    ("kCFRunLoopDefaultMode", true), ("NSConnectionReplyMode", false), ("NSModalPanelRunLoopMode", false),
    ("UITrackingRunLoopMode", true),
  ]

  /// The callbacks stop; what the server sends does not, as long as there is room for it.
  private static let stopped = Claim(
    "N1-24", .qualified, needs: ["connection/default-mode", "connection/fits-buffers", "connection/fills-buffers"],
    because:
      "The callbacks stop, not the transfer. The server keeps sending until the buffers on the way are full, and "
      + "after the touch what they held is delivered at once; the rest follows from the server."
  ) { results, findings in
    try findings.noteTouch(of: results.first("connection/default-mode"), callbacks: false)
    let fits = try results.first("connection/fits-buffers")
    try findings.noteTouch(of: fits, callbacks: false)
    try findings.noteServer(of: fits, "during the touch") { $0.contains($1) }
    let fills = try results.first("connection/fills-buffers")
    try findings.noteTouch(of: fills, callbacks: false)
    try findings.noteServer(of: fills, "after the touch") { $1 > $0.ended }
  }

  private static let queued = Claim(
    "N1-25", .qualified,
    needs: [
      "connection/queue-after-start", "connection/queue", "connection/progress-default", "connection/progress-main",
    ],
    because: "A queue that is set after the start gets its events from the loop the connection started on, and "
      + "suffers with it. Set before the start, it needs no loop. Then only what the program itself sends to main can "
      + "wait, and that only in the default mode."
  ) { results, findings in
    let late = try results.first("connection/queue-after-start")
    findings.notePlaces(of: late, onMain: false)
    try findings.noteTouch(of: late, callbacks: false)
    try findings.noteTouch(of: results.first("connection/queue"), callbacks: true)
    for (name, moves) in [("progress-default", false), ("progress-main", true)] {
      let run = try results.first("connection/\(name)")
      try findings.noteTouch(of: run, callbacks: true)
      let stretch = try run.touch().counted
      let bars = run.recording.lines.count { $0.text.hasPrefix("bar:") && stretch.contains($0.instant) }
      findings.note(
        run.label, "the bar moved \(bars) times during the touch", moves ? "more than 0" : "0",
        (bars > 0) == moves)
    }
  }

  private static let phase = Claim(
    "N2-13", .qualified,
    needs: [
      "connection/touched-connecting", "connection/touched-waiting", "connection/default-mode",
      "connection/touched-at-end", "connection/common-modes",
    ],
    because: "In each phase the callbacks of a connection in the default mode wait; in the common modes they come. "
      + "What the server sends is received meanwhile. Only the request itself waits here, since the delegate is asked "
      + "about it first."
  ) { results, findings in
    let connecting = try results.first("connection/touched-connecting")
    try findings.noteTouch(of: connecting, callbacks: false)
    let asked = connecting.requests.first?.began
    let end = try connecting.touch().stretch.ended
    findings.note(
      connecting.label,
      "the request reached the server \(asked.map { Words.seconds($0 - end) } ?? .never) after the touch",
      "after the touch", asked.map { $0 > end } ?? false)
    let waiting = try results.first("connection/touched-waiting")
    try findings.noteTouch(of: waiting, callbacks: false)
    try findings.noteServer(of: waiting, "during the touch") { $0.contains($1) }
    try findings.noteTouch(of: results.first("connection/default-mode"), callbacks: false)
    let ending = try results.first("connection/touched-at-end")
    try findings.noteTouch(of: ending, callbacks: false)
    try findings.noteServer(of: ending, "during the touch") { $0.contains($1) }
    let data = ending.recording.callback(CallbackName.receive, "data")
    findings.note(
      ending.label, "the data came at \(data.map { Words.seconds($0.last) } ?? .never)",
      "before the touch", try data.map { try $0.last < ending.touch().stretch.began } ?? false)
    try findings.noteTouch(of: results.first("connection/common-modes"), callbacks: true)
  }

  private static let errors: Phrase =
    "Apple calls both an error and does not say what happens. Here the first is refused with a sentence on standard "
    + "error and nothing changes; the second ends the program with a sentence."
  private static let common: Phrase =
    "“Common” is a set of modes, and a mode belongs to it only when it was added. Here these are the default mode and "
    + "the tracking mode, as in an iOS application."
}

extension ExampleRun {
  /// How many callbacks came to each kind of place.
  fileprivate func counts(by kind: (PlaceCount) -> String) -> [String: Int] {
    recording.places.reduce(into: [:]) { $0[kind($1), default: 0] += $1.count }
  }
}

extension [String: Int] {
  /// The counts by run-loop mode.
  fileprivate var words: Phrase { sorted { $0.key > $1.key }.map { Self.words($0.key, $0.value) }.joined() }

  private static func words(_ mode: String, _ count: Int) -> Phrase {
    switch mode {
    case "kCFRunLoopDefaultMode": "\(count) callbacks in the default mode"
    case "UITrackingRunLoopMode": "\(count) callbacks in the tracking mode"
    default: "\(count) callbacks in mode \(mode)"
    }
  }
}

extension Findings {
  /// Callbacks came during the touch, or none; and in the end all of the body was there.
  fileprivate mutating func noteTouch(of run: ExampleRun, callbacks comes: Bool) throws {
    let count = try run.touch().callbacks
    let name = run.label
    note(
      name, "\(count) of \(run.callbacks) callbacks during the touch", comes ? "more than 0" : "0", (count > 0) == comes
    )
    note(name, run.isRight ? "the whole body in the end" : "not the server's body", "the server's body", run.isRight)
  }

  /// When the server had sent its whole answer, seen against the touch.
  fileprivate mutating func noteServer(
    of run: ExampleRun, _ bound: Phrase, _ holds: (Circumstances.Stretch, Double) -> Bool
  ) throws {
    let stretch = try run.touch().stretch
    let ended = run.requests.first?.ended
    note(
      run.label, "the server had sent everything at \(ended.map(Words.seconds) ?? .never)",
      "\(bound), \(Words.seconds(stretch.began)) to \(Words.seconds(stretch.ended))",
      ended.map { holds(stretch, $0) } ?? false)
  }
}
