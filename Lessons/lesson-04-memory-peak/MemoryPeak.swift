// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 4.
enum MemoryPeak {
  static let lesson: Lesson = .make(
    4, "memory-peak", "The memory peak", minutes: 10,
    connection: [
      .connection("one-write", "the whole body, then one write", "OneWrite", run: OneWrite.run)
    ],
    session: [
      .session("one-write", "data task with handler, then one write", "HandlerOneWrite", run: HandlerOneWrite.run),
      .session("download", "download task", "DownloadToFile", run: DownloadToFile.run),
      .session(
        "download-eightfold", "the same program, a body eight times as large", "DownloadToFile", loads: .body(times: 8),
        run: DownloadToFile.run),
    ],
    claims: [
      Claim("N1-08", needs: ["connection/one-write"]) { results, findings in
        let run = try results.first("connection/one-write")
        let handler = run.recording.count(CallbackName.handler)
        findings.note(
          "\(handler) call of the handler, \(run.callbacks - handler) other callbacks", "1 and 0",
          handler == 1 && run.callbacks == 1)
        findings.noteBody(of: run)
      },
      Claim("N1-09", needs: ["connection/one-write"], leastBody: 8 << 20) { results, findings in
        let run = try results.first("connection/one-write")
        findings.noteGrowth(of: run, body: results.bodyBytes, in: 0.95...1.25)
        findings.noteFile(of: run)
      },
      Claim("N3-21", needs: ["session/download", "session/download-eightfold"], leastBody: 8 << 20) {
        results, findings in
        for run in try ["session/download", "session/download-eightfold"].map({ try results.first($0) }) {
          findings.noteFlat(run)
          findings.noteFile(of: run)
        }
      },
    ])
}
