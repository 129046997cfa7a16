// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 12.
enum NetworkThreadLesson {
  private static let small = Example.Resource.body(divisor: 64)
  private static let limit = Duration.seconds(2)

  static let lesson: Lesson = .make(
    12, "network-thread", "A network thread of one's own", minutes: 20,
    connection: [
      .connection(
        "as-written", "the note's first manager, line by line (defective)", "AsWritten", loads: small,
        endsAs: .crashed, run: AsWritten.run
      ).makes(.line("completion: the data")),
      .connection(
        "owned-buffer", "its buffer owned, and cleared too early (defective)", "OwnedBuffer", loads: small,
        run: OwnedBuffer.run
      ).makes(.line("completion: the data")),
      .connection(
        "weak-buffer", "its buffer weak (defective)", "WeakBuffer", loads: small, run: WeakBuffer.run
      ).makes(.line("the buffer is there")),
      .connection(
        "as-written-refused", "the note's first manager; nobody listens at the port (defective)", "AsWritten",
        loads: .refused, endsAs: .timedOut, run: AsWritten.run
      ).limited(to: limit).makes(.nothing),
      .connection("in-memory", "the first manager mended", "InMemory", loads: small, run: InMemory.run)
        .makes(.file("download")),
      .connection(
        "with-handle", "the note's second manager (defective)", "WithHandle", loads: small, run: WithHandle.run
      )
      .makes(.file("body")),
      .connection(
        "without-port", "a thread whose loop is empty (defective)", "ThreadWithoutPort", loads: small,
        endsAs: .timedOut, run: ThreadWithoutPort.run
      ).limited(to: limit).makes(.nothing),
      .connection("mended", "own thread, port, file, progress on main", "ManagerMended", run: ManagerMended.run)
        .makes(.file("download")),
      .connection(
        "mended-refused", "the mended manager; nobody listens at the port, and the older file stays", "ManagerMended",
        loads: .refused,
        endsAs: .failed, run: ManagerMended.run
      ).makes(.file("download", .text("from last time\n"))),
    ].besideOthers(except: "mended"),
    session: [
      .session("shared-manager", "one manager over one session", "SharedManager", run: SharedManager.run)
        .makes(.file("download"))
    ],
    claims: claims,
    pairs: [.pair("mended", "shared-manager", "the Connection example reports its progress, too")],
    shows: [.callbacks, .printed],
    about: .of("end", .end, wrong: "connection/as-written", right: "connection/in-memory"),
    predict: Prediction(
      "The note's manager loads a small file, exactly as the note writes it. What does the caller get?",
      answers: ["the data", "nil in place of the data", "nothing: the call never comes", "a crash"], right: 4,
      shownBy: "N4-07"))
}
