// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

/// Lesson 23.
enum SegmentedDownload {
  private static let whole = resource("etag=v1")
  private static let noRanges = resource("etag=v1&ranges=off")
  /// The file is another one as soon as a part of it is asked for.
  private static let changing = resource("etag=v1&changes=on")
  private static let counts: [Int64] = [1, 4, 7]
  private static let older = Example.Content.text("from last time\n")

  private static func resource(_ options: String) -> Example.Resource { .body(divisor: 4, options: options) }

  static let lesson: Lesson = .make(
    23, "segmented-download", "A download in parts", minutes: 15,
    connection: connection.besideOthers(), session: session.besideOthers(),
    claims: [parts],
    pairs: (counts.map { "parts-\($0)" } + ["no-ranges", "changed"]).map { .pair($0, $0) },
    shows: [.requests, .printed],
    about: .of("file", .product, wrong: "connection/unchecked", right: "connection/no-ranges"),
    predict: Prediction(
      "A program asks for four parts, and the server has no ranges. The program does not look. What is in its file?",
      answers: [
        "the whole file, as it should be", "bodies written over one another, and more bytes than the file has",
        "four bodies, one behind the other", "nothing: the server refuses",
      ], right: 2, shownBy: "N4-14"))

  private static func title(of count: Int64) -> String { count == 1 ? "1 part" : "\(count) parts" }

  private static let connection: [Example] =
    counts.map {
      .connection(
        "parts-\($0)", title(of: $0), "SegmentedConnection", loads: whole, run: SegmentedConnection.inParts($0)
      ).makes(.file("download"))
    } + [
      .connection(
        "no-ranges", "4 parts; the server has no ranges", "SegmentedConnection", loads: noRanges,
        run: SegmentedConnection.inParts(4)
      ).makes(.file("download")),
      .connection(
        "changed", "4 parts; the file changes after the first look, and the older one stays", "SegmentedConnection",
        loads: changing,
        endsAs: .cancelled, run: SegmentedConnection.inParts(4)
      ).makes(.file("download", older)),
      .connection(
        "unchecked", "4 parts, unchecked; the server has no ranges (defective)", "Unchecked", loads: noRanges,
        run: Unchecked.run
      ).has(.rangeUnchecked, .partsUnchecked).makes(.file("download")),
    ]

  private static let session: [Example] =
    counts.map {
      .session("parts-\($0)", title(of: $0), "SegmentedTask", loads: whole, run: SegmentedTask.inParts($0))
        .makes(.file("download"))
    } + [
      .session(
        "no-ranges", "4 parts; the server has no ranges", "SegmentedTask", loads: noRanges,
        run: SegmentedTask.inParts(4)
      ).makes(.file("download")),
      .session(
        "changed", "4 parts; the file changes after the first look, and the older one stays", "SegmentedTask",
        loads: changing,
        endsAs: .cancelled, run: SegmentedTask.inParts(4)
      ).makes(.file("download", older)),
    ]

  private static let parts = Claim(
    "N4-14", .qualified,
    needs: counts.flatMap { ["connection/parts-\($0)", "session/parts-\($0)"] }
      + ["no-ranges", "changed"].flatMap { ["connection/\($0)", "session/\($0)"] } + ["connection/unchecked"],
    because:
      "It works where the server has ranges and the file does not change. Ask for that first, send If-Range with each "
      + "part, and look at each answer: a server without ranges sends the whole body in answer to each part."
  ) { results, findings in
    for count in counts {
      for side in ["connection", "session"] {
        noteParts(of: try results.first("\(side)/parts-\(count)"), Int(count), in: &findings)
      }
    }
    for side in ["connection", "session"] {
      let run = try results.first("\(side)/no-ranges")
      findings.note(
        Phrase(verbatim: run.result.id), .count(run.files.count(where: \.isBody), "whole file"),
        .count(1, "whole file"), run.isRight && run.files.count == 1)
    }
    for side in ["connection", "session"] {
      let run = try results.first("\(side)/changed")
      findings.note(
        Phrase(verbatim: run.result.id), run.isRight ? "the older file is still there" : "the older file is lost",
        "no file of two versions", run.isRight && run.files.count == 1)
    }
    let spoilt = try results.first("connection/unchecked")
    let sent = spoilt.result.product?.expectedBytes ?? 0
    findings.note(
      spoilt.label, "\(Words.size(spoilt.files.first?.bytes ?? 0)) for a file of \(Words.size(sent))",
      "no whole file", sent > 0 && !spoilt.files.contains(where: \.isBody))
  }

  private static func noteParts(of run: ExampleRun, _ count: Int, in findings: inout Findings) {
    let ranged = run.requests.filter { $0.range != nil }
    let isHeldTogether = ranged.allSatisfy { $0.fields["if-range"] == "\"v1\"" && $0.status == 206 }
    findings.note(
      Phrase(verbatim: run.result.id),
      [
        .count(run.files.count(where: \.isBody), "whole file"), .count(run.requests.count, "request"),
        .count(ranged.count, "range"),
      ].joined(),
      "a whole file from its parts",
      run.isRight && run.files.count == 1 && run.requests.count == count + 1 && isHeldTogether
        && ranged.count == (count > 1 ? count : 0))
  }
}
