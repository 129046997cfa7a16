// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension CompletionQueue {
  /// The lines of code in note N1, blank lines and comments left out: its lines 34 to 51 make the call with a queue and a
  /// handler, its lines 75 to 122 do the job with a delegate.
  private static let noteLines = (handler: 9, delegate: 25)

  static let claims: [Claim] = [
    Claim("N1-05", needs: ["connection/queue-main"], check: checkReturn),
    Claim("N1-06", needs: ["connection/queue-main", "connection/queue-new"], check: checkPlaces),
    Claim(
      "N1-07", needs: ["connection/queue-new", "connection/queue-new-hop"],
      because:
        "A handler on a new queue runs beside the main thread. Whatever touches the screen has to be sent there.",
      check: checkLabel),
    Claim(
      "N3-09", .qualified, needs: ["session/queue-busy"],
      because:
        "It says where the handler runs, and when: not before the queue is free. The transfer does not wait for a "
        + "handler. A delegate that takes the data piece by piece can hold it up: lesson 25.", check: checkBusyQueue),
    Claim(
      "N3-10", .qualified, needs: ["session/queue-nil", "session/queue-new"],
      because: "Without a queue the session makes one that runs a single operation at a time, though not always on the "
        + "same thread. A new OperationQueue runs several at a time, so handlers of different tasks may overlap.",
      check: checkNoQueue),
    Claim("N3-11", needs: ["session/queue-main"]) { results, findings in
      findings.notePlaces(of: try results.first("session/queue-main"), onMain: true)
    },
    Claim(
      "N5-15", needs: ["connection/queue-main", "connection/delegate"],
      because: "Both programs do the same; the delegate gains nothing where the answer is small.", check: checkLines),
  ]

  @Sendable private static func checkReturn(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("connection/queue-main")
    let start = try run.instant(of: "start")
    let returned = try run.instant(of: "the caller goes on") - start
    findings.note(
      run.label, "the call returned after \(Words.milliseconds(returned))", "under \(Words.amount(50, "ms"))",
      returned < 0.05)
    let handled = try run.instant(of: "label:") - start
    findings.note(
      run.label, "the handler ran after \(Words.seconds(handled))", "the server's \(Words.amount(1, "s")), at least",
      handled >= 1)
  }

  @Sendable private static func checkPlaces(_ results: RunResults, _ findings: inout Findings) throws {
    let runs = try ["queue-main", "queue-new"].map { try results.first("connection/\($0)") }
    for run in runs { findings.notePlaces(of: run, onMain: run.name == "queue-main") }
    let queues = runs.map { $0.recording.callback(CallbackName.handler)?.places.first?.queue }
    for (run, queue) in zip(runs, queues) {
      findings.note(
        run.label, queue.map(Phrase.queue) ?? "on no queue",
        "the queue that was given, another for each", queue != nil && queues[0] != queues[1])
    }
  }

  @Sendable private static func checkLabel(_ results: RunResults, _ findings: inout Findings) throws {
    for (name, isMain) in [("queue-new", false), ("queue-new-hop", true)] {
      let run = try results.first("connection/\(name)")
      let refused = run.line("the label was called off the main thread")
      let thread = (refused ?? run.line("label:"))?.thread
      findings.note(
        run.label,
        "the label was called on \(thread?.words ?? "no thread") and \(refused == nil ? "changed" as Phrase : "did not change")",
        isMain ? "changed, on main" : "not changed, off main", thread?.main == isMain && (refused == nil) == isMain)
    }
  }

  @Sendable private static func checkBusyQueue(_ results: RunResults, _ findings: inout Findings) throws {
    let run = try results.first("session/queue-busy")
    let free = try run.instant(of: "the queue is free")
    let sent = run.requests.first?.ended ?? .infinity
    findings.note(
      run.label, "the server had sent all after \(Words.seconds(sent))",
      "before the queue was free, after \(Words.seconds(free))", sent < free)
    let handled = try run.instant(of: "received")
    findings.note(
      run.label, "the handler ran after \(Words.seconds(handled))", "when the queue was free",
      handled >= free && free >= 1)
    findings.noteBody(of: run)
  }

  @Sendable private static func checkNoQueue(_ results: RunResults, _ findings: inout Findings) throws {
    for (name, most) in [("queue-nil", 1), ("queue-new", 3)] {
      let run = try results.first("session/\(name)")
      findings.notePlaces(of: run, onMain: false)
      let count = run.handlersAtOnce
      findings.note(
        run.label, "\(count) at a time", most == 1 ? "1 at a time" : "1 to \(most) at a time",
        (1...most).contains(count))
    }
  }

  @Sendable private static func checkLines(_ results: RunResults, _ findings: inout Findings) throws {
    findings.note(
      "the note's own forms", "\(noteLines.handler) lines with a handler, \(noteLines.delegate) with a delegate",
      "twice as many at least", noteLines.delegate >= 2 * noteLines.handler)
    let short = try SourceLines.count(in: lesson, "connection/queue-main")
    let long = try SourceLines.count(in: lesson, "connection/delegate")
    findings.note(
      "this lesson's forms", "\(short) lines with a handler, \(long) with a delegate", "more with a delegate",
      long > short)
    for name in ["queue-main", "delegate"] {
      let run = try results.first("connection/\(name)")
      findings.note(
        run.label, run.isRight ? "the label shows the size" : "the label does not show the size",
        "the same job", run.isRight)
    }
  }
}

extension ExampleRun {
  /// The most handlers that were at work at the same time, by the lines they printed.
  fileprivate var handlersAtOnce: Int {
    var (now, most) = (0, 0)
    for line in recording.lines where line.text.hasPrefix("handler ") {
      now += line.text.contains("begins") ? 1 : -1
      most = max(most, now)
    }
    return most
  }
}
