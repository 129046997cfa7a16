// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 7.
enum WritingByHandle {
  static let lesson: Lesson = .make(
    7, "file-handle", "Writing piece by piece: the file handle", minutes: 12,
    connection: [
      .connection("handle-per-piece", "opened and closed for each piece", "FilePerPiece", run: FilePerPiece.run),
      .connection("one-handle", "one handle for all pieces", "OneHandle", run: OneHandle.run),
      .connection(
        "one-handle-eightfold", "the same program, a body eight times as large", "OneHandle", loads: .body(times: 8),
        run: OneHandle.run),
      .connection(
        "missing-file", "a handle for a file that nobody made (defective)", "OneHandle", loads: .body(divisor: 64),
        run: OneHandle.withoutFile),
      .connection(
        "old-file", "an older file of that name is kept (defective)", "FilePerPiece", loads: .body(divisor: 64),
        run: FilePerPiece.keepingOldFile),
    ],
    session: [
      .session("one-handle", "data task delegate with one handle", "HandleInTask", run: HandleInTask.run)
    ],
    claims: [
      Claim(
        "N1-19",
        needs: [
          "connection/handle-per-piece", "connection/one-handle", "connection/one-handle-eightfold",
          "session/one-handle",
        ], leastBody: 8 << 20
      ) { results, findings in
        let names = ["connection/handle-per-piece", "connection/one-handle-eightfold", "session/one-handle"]
        for run in try names.map({ try results.first($0) }) {
          findings.noteFlat(run)
          findings.noteFile(of: run)
        }
      },
      Claim("N1-20", needs: ["connection/missing-file", "connection/one-handle"]) { results, findings in
        for (name, answer) in [("missing-file", "nil"), ("one-handle", "there")] {
          let line = try results.first("connection/\(name)").line("the handle is ")?.text ?? "nothing printed"
          findings.note("\(name): \(line)", answer, line.hasSuffix(answer))
        }
      },
      Claim(
        "N1-21", .qualified, needs: ["connection/handle-per-piece", "connection/one-handle"],
        because: "The file is right either way. The price is an opening, a seek and a closing for each piece; beside "
          + "writing half a mebibyte it can hardly be told, beside small pieces it can."
      ) { results, findings in
        let each = try results.first("connection/handle-per-piece")
        let once = try results.first("connection/one-handle")
        findings.noteFile(of: each)
        findings.noteFile(of: once)
        let pieces = try each.load().pieces
        findings.note(
          "\(pieces) times opened, \(Words.milliseconds(each.result.time.cpu)) of processor time; once opened, "
            + Words.milliseconds(once.result.time.cpu), "once for each piece; once", pieces >= 1)
      },
      oldFile("N1-22"),
      Claim(
        "N4-09", .refuted, needs: ["connection/missing-file"],
        because: "A file handle opens files, it does not make them. Make the file first, empty, and check for nil."
      ) { results, findings in
        findings.noteFile(of: try results.first("connection/missing-file"), count: 0)
      },
      oldFile("N4-11"),
    ])

  /// Two notes say it: what is written at the end of an older file comes behind its content.
  private static func oldFile(_ id: String) -> Claim {
    Claim(id, needs: ["connection/old-file", "connection/handle-per-piece"]) { results, findings in
      let kept = try results.first("connection/old-file")
      let file = kept.files.first
      let old = (file?.bytes ?? 0) - (try kept.load().responses.first.map { Int($0.expectedLength) } ?? 0)
      findings.note(
        "old file kept: the body behind \(old) older bytes", "old bytes, then the whole body",
        old > 0 && file?.endsWithBody == true && file?.isBody == false)
      findings.noteFile(of: try results.first("connection/handle-per-piece"))
    }
  }
}
