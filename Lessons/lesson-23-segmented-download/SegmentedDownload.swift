// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 23.
enum SegmentedDownload {
  private static let whole = Example.Resource.body(divisor: 4)
  private static let noRanges = Example.Resource.body(divisor: 4, options: "ranges=off")
  private static let counts: [Int64] = [1, 4, 7]

  static let lesson: Lesson = .make(
    23, "segmented-download", "A download in parts", minutes: 15,
    connection: counts.map {
      .connection(
        "parts-\($0)", "\($0) parts", "SegmentedConnection", loads: whole, run: SegmentedConnection.inParts($0))
    } + [
      .connection(
        "no-ranges", "4 parts; the server has no ranges", "SegmentedConnection", loads: noRanges,
        run: SegmentedConnection.inParts(4)),
      .connection(
        "unchecked", "4 parts, unchecked; the server has no ranges (defective)", "SegmentedConnection", loads: noRanges,
        run: SegmentedConnection.unchecked),
    ],
    session: counts.map {
      .session("parts-\($0)", "\($0) parts", "SegmentedTask", loads: whole, run: SegmentedTask.inParts($0))
    } + [
      .session(
        "no-ranges", "4 parts; the server has no ranges", "SegmentedTask", loads: noRanges,
        run: SegmentedTask.inParts(4))
    ],
    claims: [
      Claim(
        "N4-14", .qualified,
        needs: counts.flatMap { ["connection/parts-\($0)", "session/parts-\($0)"] }
          + ["connection/no-ranges", "session/no-ranges", "connection/unchecked"],
        because:
          "It works where the server has ranges. Ask for that first: a server without them sends the whole body in "
          + "answer to each part."
      ) { results, findings in
        for count in counts {
          for side in ["connection", "session"] {
            let run = try results.first("\(side)/parts-\(count)")
            findings.note(
              "\(run.result.id): \(run.files.count { $0.isBody }) whole file, \(run.result.traffic.ranges.count) ranges",
              "a whole file from its parts",
              run.files.count == 1 && run.files[0].isBody && run.requests.count == Int(count) + 1
                && run.result.traffic.ranges.count == (count > 1 ? Int(count) : 0))
          }
        }
        for name in ["connection/no-ranges", "session/no-ranges"] { findings.noteFile(of: try results.first(name)) }
        let spoilt = try results.first("connection/unchecked")
        findings.note(
          "unchecked: \(spoilt.files.first?.bytes ?? 0) bytes, \(spoilt.files.count { $0.isBody }) whole file",
          "0 whole files", !spoilt.files.contains(where: \.isBody))
      }
    ])
}
