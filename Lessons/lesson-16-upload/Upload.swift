// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 16.
enum Upload {
  private static let echo = Example.Resource.path("/echo")
  /// The 401 comes late, so that the instruments, which look every few milliseconds, see the whole copy on disk.
  private static let guarded = Example.Resource.path("/basic?delay=0.1")
  private static let moved = Example.Resource.path("/redirect/307?to=/upload")
  private static let form = Example.Product.received(.text("username=daka&pwd=123"))
  private static let escapedForm = Example.Product.received(.text("username=daka&pwd=1%262%2B3"))
  private static let file = Example.Product.received(.repeated(LargeFile.line, times: LargeFile.lines))

  static let lesson: Lesson = .make(
    16, "upload", "Sending a body", minutes: 15, connection: connection, session: session,
    claims: [post, replay, fall, unopened], checks: [firstStream],
    pairs: [
      .pair("form", "form"),
      .pair("stream", "from-stream", "the task's delegate is asked for the first stream, too"),
    ],
    about: .of(
      "received with the second request", .lastBody, wrong: "connection/stream-used-up", right: "connection/stream-307"),
    predict: Prediction(
      "The server has received 64 MiB of a stream and then asks for a password. What does the progress do?",
      answers: [
        "it goes on to 128 MiB", "it stays at 64 MiB", "it falls back to the beginning and climbs again",
      ], right: 3, shownBy: "N5-07"))

  private static let connection: [Example] = [
    .connection("form", "POST of a form", "FormByConnection", loads: echo, run: FormByConnection.run).makes(form),
    .connection(
      "form-unescaped", "an ampersand in a value (defective)", "FormValues", loads: echo, run: FormValues.unescaped
    ).makes(escapedForm),
    .connection("form-escaped", "the value percent-encoded", "FormValues", loads: echo, run: FormValues.escaped)
      .makes(escapedForm),
    .connection("stream", "a stream; a new one after a 401", "StreamReplayed", loads: guarded, run: StreamReplayed.run)
      .makes(file),
    .connection(
      "stream-307", "a stream; a new one after a 307", "StreamReplayed", loads: moved, run: StreamReplayed.run
    )
    .makes(file),
    .connection(
      "stream-second", "a stream, the second upload with this delegate class", "SecondUpload", loads: guarded,
      run: SecondUpload.run
    ).makes(file),
    .connection(
      "stream-copied", "a stream without needNewBodyStream, across a 401", "StreamCopied", loads: guarded,
      run: StreamCopied.run
    ).has(.streamCopied).makes(file),
    .connection(
      "stream-unfinished", "a stream that is written while it is sent", "StreamUnfinished", loads: .path("/upload"),
      run: StreamUnfinished.run
    ).makes(file),
    .connection(
      "stream-opened", "needNewBodyStream returns an opened stream", "StreamOpened", loads: moved,
      run: StreamOpened.run
    ).makes(file),
    .connection(
      "stream-used-up", "needNewBodyStream returns the used-up stream (defective)", "StreamUsedUp", loads: moved,
      endsAs: .failed,
      run: StreamUsedUp.run
    ).makes(.line("status 200")),
  ]

  private static let session: [Example] = [
    .session("form", "POST of a form", "FormByTask", loads: echo, run: FormByTask.run).makes(form),
    .session("from-data", "upload task from data", "FormByTask", loads: echo, run: FormByTask.fromData).makes(form),
    .session("from-file", "upload task from a file", "FormByTask", loads: echo, run: FormByTask.fromFile).makes(form),
    .session(
      "from-stream", "upload task from a stream; a new one after a 401", "StreamByTask", loads: guarded,
      run: StreamByTask.run
    ).makes(file),
  ]
}
