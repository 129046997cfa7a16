// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 3.
enum CompletionQueue {
  /// What the label shows of 256 KiB.
  private static let shown = Example.Product.line("label: 262144 bytes")
  private static let late = Example.Resource.path("/body?size=262144&seed=5&delay=1")
  private static let small = Example.Resource.body(divisor: 64)

  static let lesson: Lesson = .make(
    3, "completion-queue", "Where the handler runs", minutes: 12,
    connection: connectionExamples.besideOthers(except: "queue-main"), session: sessionExamples.besideOthers(),
    claims: claims,
    pairs: [
      .pair("queue-main", "queue-main", "the Session example runs three handlers, without a label"),
      .pair("queue-new", "queue-new", "the Session example runs three handlers, without a label"),
    ],
    shows: [.callbacks, .printed],
    about: .of("thread of the handler", .callbacks, wrong: "connection/queue-new", right: "connection/queue-main"),
    predict: Prediction(
      "The main thread makes the queue-asynchronous call and hands in a new queue. On which thread does the handler run?",
      answers: ["the main thread, which made the call", "a thread of the queue", "the thread that runs the transfer"],
      right: 2, shownBy: "N1-06"))

  private static let connectionExamples: [Example] = [
    .connection(
      "queue-main", "handler on the main queue; the server waits 1 s", "AsynchronousOnMain", loads: late,
      run: AsynchronousOnMain.run
    ).makes(shown),
    .connection(
      "queue-new", "handler on a new queue, which updates the screen (defective)", "AsynchronousOnNewQueue",
      loads: late, run: AsynchronousOnNewQueue.run
    ).makes(shown),
    .connection(
      "queue-new-hop", "handler on a new queue, the screen on main", "AsynchronousOnNewQueue", loads: late,
      run: AsynchronousOnNewQueue.hopping
    ).makes(shown),
    .connection(
      "delegate", "the same job with a delegate", "DelegateForSmallRequest", loads: late,
      run: DelegateForSmallRequest.run
    ).makes(shown),
  ]

  private static let sessionExamples: [Example] = [
    .session(
      "queue-main", "three handlers on the main queue", "HandlersOnQueues", loads: small, run: HandlersOnQueues.onMain
    ).makes(.bodies),
    .session(
      "queue-nil", "three handlers, no queue given", "HandlersOnQueues", loads: small, run: HandlersOnQueues.onNone
    ).makes(.bodies),
    .session(
      "queue-new", "three handlers on a new queue", "HandlersOnQueues", loads: small, run: HandlersOnQueues.onNew
    ).makes(.bodies),
    .session(
      "queue-busy", "the queue is busy for a second", "HandlerOnBusyQueue", loads: small, run: HandlerOnBusyQueue.run),
  ]
}
