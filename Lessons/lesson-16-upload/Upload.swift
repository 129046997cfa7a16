// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 16.
enum Upload {
  private static let echo = Example.Resource.path("/echo")
  private static let guarded = Example.Resource.path("/basic")
  private static let moved = Example.Resource.path("/redirect/307?to=/upload")

  static let lesson: Lesson = .make(
    16, "upload", "Sending", minutes: 15,
    connection: [
      .connection("form", "POST of a form", "FormByConnection", loads: echo, run: FormByConnection.run),
      .connection("stream", "a stream, new across a 401", "StreamReplayed", loads: guarded, run: StreamReplayed.run),
      .connection("stream-307", "a stream, new across a 307", "StreamReplayed", loads: moved, run: StreamReplayed.run),
      .connection(
        "stream-copied", "a stream without needNewBodyStream, across a 401", "StreamCopied", loads: guarded,
        run: StreamCopied.run),
    ],
    session: [
      .session("form", "POST of a form", "FormByTask", loads: echo, run: FormByTask.run),
      .session("from-data", "upload task from data", "FormByTask", loads: echo, run: FormByTask.fromData),
      .session("from-file", "upload task from a file", "FormByTask", loads: echo, run: FormByTask.fromFile),
      .session(
        "from-stream", "upload task from a stream, new across a 401", "StreamByTask", loads: guarded,
        run: StreamByTask.run),
    ],
    claims: [
      Claim("N3-03", needs: ["connection/form", "session/form", "session/from-data", "session/from-file"]) {
        results, findings in
        for name in ["connection/form", "session/form", "session/from-data", "session/from-file"] {
          let request = try results.first(name).requests.first
          findings.note(
            "\(name): \(request?.method ?? "nothing"), \(request?.bodyBytes ?? 0) bytes", "POST, 21 bytes",
            request?.method == "POST" && request?.bodyBytes == 21)
        }
      },
      Claim(
        "N5-06", .qualified, needs: ["connection/stream", "connection/stream-307", "connection/stream-copied"],
        because: copies
      ) {
        results, findings in
        for (name, asks) in [("stream", true), ("stream-307", true), ("stream-copied", false)] {
          let run = try results.first("connection/\(name)")
          let bodies = run.requests.map(\.bodyBytes)
          let asked = run.line("a new stream is asked for") != nil
          findings.note(
            "\(name): \(bodies.map { "\($0)" }.joined(separator: " and ")) bytes arrived, the delegate was \(asked ? "" : "not ")asked",
            "the whole body in the last request", bodies.last == LargeFile.size && asked == asks)
          findings.noteUploadMemory(of: run)
        }
      },
      Claim("N5-07", needs: ["connection/stream", "connection/stream-copied"]) { results, findings in
        for name in ["connection/stream", "connection/stream-copied"] {
          let progress = try results.first(name).recording.loads.first?.progress
          findings.note(
            "\(name): \(progress?.count ?? 0) reports, the total \(progress?.hasFallen == true ? "fell back" : "never fell")",
            "falls back once", progress?.hasFallen == true)
        }
      },
    ])

  private static let copies =
    "A new stream is what a second sending needs. Where the method is missing what was sent is "
    + "kept while it is sent; here in a file without a name, so that the memory stays flat either way and the price is disk."
}

extension Findings {
  /// A large upload grew the program by at most 4 MiB.
  fileprivate mutating func noteUploadMemory(of run: ExampleRun) {
    let growth = run.result.memory.growth
    note("\(run.name): +\(Words.mebibytes(growth)) for 64 MiB", "at most 4 MiB", growth <= Self.flatBound)
  }
}
