// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Lesson 7.
enum WritingByHandle {
  /// How much longer a download must take to be called slower.
  private static let slower = 1.2

  static let lesson: Lesson = .make(
    7, "file-handle", "Writing piece by piece: the file handle", minutes: 12,
    connection: [
      file("handle-per-piece", "opened and closed for each piece, as N1 writes it", "FilePerPiece", FilePerPiece.run),
      file("one-handle", "one handle for all pieces", "OneHandle", OneHandle.run),
      file(
        "one-handle-eightfold", "the same program, a body eight times as large", "OneHandle", loads: .body(times: 8),
        OneHandle.run),
      .connection(
        "by-turns", "ten downloads, by turns with one handle for each piece and with one for all", "ByTurns",
        loads: .body(divisor: 2), run: ByTurns.run
      ).makes(.bodies),
      file(
        "missing-file", "a handle for a file that nobody made (defective)", "MissingFile", loads: .body(divisor: 64),
        MissingFile.run),
      file(
        "old-file", "an older file of that name is kept (defective)", "OldFile", loads: .body(divisor: 64),
        OldFile.run),
    ],
    session: [
      .session("one-handle", "data task delegate with one handle", "HandleInTask", run: HandleInTask.run)
        .makes(.file("download"))
    ],
    claims: [
      flat, missingHandle, cost, oldFile("N1-22"),
      Claim(
        "N4-09", .defectShown, needs: ["connection/missing-file", "connection/one-handle"],
        because: "A file handle opens files, it does not make them. Make the file first, empty, and check for nil."
      ) { results, findings in
        findings.noteFile(of: try results.first("connection/missing-file"), count: 0)
        findings.noteFile(of: try results.first("connection/one-handle"))
      },
      oldFile("N4-11"),
    ],
    pairs: [.pair("one-handle", "one-handle")],
    shows: [.memory, .loads, .printed],
    about: .of("file", .product, wrong: "connection/missing-file", right: "connection/one-handle"),
    predict: Prediction(
      "A handle is asked for a file that does not exist, and the whole body is written through it. What comes of it?",
      answers: ["a file with the body", "an empty file", "no file, and no error", "an error at the first write"],
      right: 3, shownBy: "N4-09"))

  private static func file(
    _ name: String, _ title: String, _ file: String, loads resource: Example.Resource = .body(),
    _ run: @escaping @Sendable (ExampleContext) -> Void
  ) -> Example {
    .connection(name, title, file, loads: resource, run: run).makes(.file("download"))
  }

  private static let flat = Claim(
    "N1-19",
    needs: [
      "connection/handle-per-piece", "connection/one-handle", "connection/one-handle-eightfold", "session/one-handle",
    ], leastBody: 8 << 20
  ) { results, findings in
    let names = [
      "connection/handle-per-piece", "connection/one-handle", "connection/one-handle-eightfold", "session/one-handle",
    ]
    for run in try names.map({ try results.first($0) }) {
      findings.noteFlat(run)
      findings.noteFile(of: run)
    }
  }

  private static let missingHandle = Claim("N1-20", needs: ["connection/missing-file", "connection/one-handle"]) {
    results, findings in
    let line = try results.first("connection/missing-file").line("the handle is ")?.text
    findings.note(
      Phrase(verbatim: "connection/missing-file"), line.map(Phrase.quoted) ?? "nothing printed",
      .quoted("the handle is nil"),
      line == "the handle is nil")
    findings.noteFile(of: try results.first("connection/one-handle"))
  }

  /// N1-21: the ten downloads are five pairs. Other work on the machine slows down one of a pair, hardly five times the
  /// same one.
  private static let cost = Claim(
    "N1-21", needs: ["connection/handle-per-piece", "connection/by-turns"], leastBody: 8 << 20
  ) { results in
    var findings = Findings()
    findings.noteFile(of: try results.first("connection/handle-per-piece"))
    let loads = try results.first("connection/by-turns").result.loads
    let times = loads.sorted { $0.number < $1.number }.compactMap { load in load.ended.map { $0 - load.began } }
    let pairs = stride(from: 0, to: times.count - 1, by: 2).map { (each: times[$0], once: times[$0 + 1]) }
    let (each, once) = (median(pairs.map(\.each)), median(pairs.map(\.once)))
    let slowerPairs = pairs.count { $0.each > slower * $0.once }
    findings.note(
      Phrase(verbatim: "connection/by-turns"),
      "a download takes \(Words.milliseconds(each)) opened for each piece, \(Words.milliseconds(once)) opened once; medians of 5",
      "ten downloads", times.count == 10)
    findings.note(
      Phrase(verbatim: "connection/by-turns"),
      "opened for each piece took more than \(slower) times as long in \(slowerPairs) of 5 pairs",
      "it would be called slower where that is so in all 5", true)
    let isSlower = slowerPairs == 5
    findings.explanation =
      isSlower
      ? "The file is right either way. It costs an opening, a seek and a closing for each piece."
      : "The file is right either way, and with pieces as large as these the cost of opening and closing does not "
        + "show."
    return findings.settlement(isSlower ? .qualified : .confirmed, otherwise: .refuted)
  }

  private static func median(_ times: [Double]) -> Double {
    times.isEmpty ? 0 : times.sorted()[times.count / 2]
  }

  /// Two notes say it: what is written at the end of an older file comes behind its content.
  private static func oldFile(_ id: String) -> Claim {
    Claim(
      id, .qualified, needs: ["connection/old-file", "connection/handle-per-piece", "connection/one-handle"],
      because:
        "What is written at the end of an older file spoils it. Removing it first helps, and costs the old file where "
        + "the load fails. The other cure writes a file beside it, which takes its place when it is whole."
    ) { results, findings in
      let kept = try results.first("connection/old-file")
      let file = kept.files.first
      let old = (file?.bytes ?? 0) - (kept.result.product?.expectedBytes ?? 0)
      findings.note(
        kept.label, "the body stands behind \(Phrase.count(old, "older byte"))",
        "old bytes, then the whole body", old > 0 && file?.endsWithBody == true && file?.isBody == false)
      for name in ["handle-per-piece", "one-handle"] {
        findings.noteFile(of: try results.first("connection/\(name)"))
      }
    }
  }
}
