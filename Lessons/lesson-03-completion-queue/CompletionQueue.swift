// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 3.
enum CompletionQueue {
  private static let late = Example.Resource.body(divisor: 64, after: .seconds(1))
  private static let small = Example.Resource.body(divisor: 64)

  static let lesson: Lesson = .make(
    3, "completion-queue", "Where the handler runs", minutes: 12,
    connection: [
      .connection(
        "queue-main", "handler on the main queue; the server waits 1 s", "AsynchronousOnMain", loads: late,
        run: AsynchronousOnMain.run),
      .connection(
        "queue-new", "handler on a new queue, which updates the screen (defective)", "AsynchronousOnNewQueue",
        loads: late, run: AsynchronousOnNewQueue.run),
      .connection(
        "queue-new-hop", "handler on a new queue, the screen on main", "AsynchronousOnNewQueue", loads: late,
        run: AsynchronousOnNewQueue.hopping),
      .connection(
        "delegate", "the same job with a delegate", "DelegateForSmallRequest", loads: late,
        run: DelegateForSmallRequest.run),
    ],
    session: [
      .session(
        "queue-main", "three handlers on the main queue", "HandlersOnQueues", loads: small, run: HandlersOnQueues.onMain
      ),
      .session(
        "queue-nil", "three handlers, no queue given", "HandlersOnQueues", loads: small, run: HandlersOnQueues.onNone),
      .session(
        "queue-new", "three handlers on a new queue", "HandlersOnQueues", loads: small, run: HandlersOnQueues.onNew),
      .session(
        "queue-busy", "the queue is busy for a second", "HandlerOnBusyQueue", loads: small, run: HandlerOnBusyQueue.run),
    ],
    claims: connectionClaims + sessionClaims)

  private static let connectionClaims: [Claim] = [
    Claim("N1-05", needs: ["connection/queue-main"]) { results, findings in
      let run = try results.first("connection/queue-main")
      let start = try run.instant(of: "start")
      let returned = try run.instant(of: "the caller goes on") - start
      let handled = try run.instant(of: "label:") - start
      findings.note(
        "the call returned after \(Words.milliseconds(returned)), the handler ran after \(Words.seconds(handled))",
        "a twentieth of the server's 1 s at most; 1 s at least", returned < 0.05 && handled >= 1)
    },
    Claim("N1-06", needs: ["connection/queue-main", "connection/queue-new"]) { results, findings in
      findings.notePlaces(of: try results.first("connection/queue-main"), onMain: true)
      findings.notePlaces(of: try results.first("connection/queue-new"), onMain: false)
    },
    Claim(
      "N1-07", needs: ["connection/queue-new", "connection/queue-new-hop"],
      because: "A handler on a new queue runs beside the main thread. Whatever touches the screen has to be sent there."
    ) { results, findings in
      for (name, isMain) in [("queue-new", false), ("queue-new-hop", true)] {
        let run = try results.first("connection/\(name)")
        let label = run.line("label:")?.thread
        findings.note(
          "\(name): the label changes on \(label?.words ?? "no thread")", isMain ? "main" : "not main",
          label?.main == isMain)
      }
    },
  ]

  private static let sessionClaims: [Claim] = [
    Claim("N3-09", needs: ["session/queue-busy"]) { results, findings in
      let run = try results.first("session/queue-busy")
      let sent = run.requests.first?.ended ?? .infinity
      let handled = try run.instant(of: "received")
      findings.note(
        "the server had sent all after \(Words.seconds(sent)), the handler ran after \(Words.seconds(handled))",
        "before the queue was free; after", try sent < run.instant(of: "the queue is free") && handled >= 1)
      findings.noteBody(of: run)
    },
    Claim(
      "N3-10", .qualified, needs: ["session/queue-nil", "session/queue-new"],
      because: "Without a queue the session makes one that runs a single operation at a time, though not always on the "
        + "same thread. A new OperationQueue runs several at a time, so handlers of different tasks may overlap."
    ) { results, findings in
      for (name, most) in [("queue-nil", 1), ("queue-new", 3)] {
        let run = try results.first("session/\(name)")
        findings.notePlaces(of: run, onMain: false)
        let count = run.handlersAtOnce
        findings.note("\(count) at a time", most == 1 ? "1 at a time" : "1 to \(most)", (1...most).contains(count))
      }
    },
    Claim("N3-11", needs: ["session/queue-main"]) { results, findings in
      findings.notePlaces(of: try results.first("session/queue-main"), onMain: true)
    },
    Claim(
      "N5-15", needs: ["connection/queue-main", "connection/delegate"],
      because: "Both programs do the same; the delegate's counts for nothing where the answer is small."
    ) { results, findings in
      let short = try SourceLines.count(in: lesson, "connection/queue-main")
      let long = try SourceLines.count(in: lesson, "connection/delegate")
      let same = try results.first("connection/delegate").result.outcome.bytes
      findings.note(
        "\(short) lines with a handler, \(long) with a delegate", "twice as many at least", long >= 2 * short)
      findings.note(
        "\(same) bytes either way", "", try results.first("connection/queue-main").result.outcome.bytes == same)
    },
  ]
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
