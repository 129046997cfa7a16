// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 6.
enum Accumulate {
  /// Each suggested name, by the example.
  private static let names = ["name-given": "report.pdf", "name-from-address": "body", "name-hostile": "escaped"]

  static let lesson: Lesson = .make(
    6, "accumulate", "Collecting in memory", minutes: 12,
    connection: [
      .connection("released", "collected, written, released", "Collecting", run: Collecting.releasing),
      .connection("kept", "collected, written, kept (defective)", "Collecting", run: Collecting.keeping),
      .connection(
        "name-given", "the server gives a name", "NameOfTheServer",
        loads: .body(divisor: 64, options: "disposition=report.pdf"), run: NameOfTheServer.run),
      .connection(
        "name-from-address", "the name comes from the address", "NameOfTheServer", loads: .body(divisor: 64),
        run: NameOfTheServer.run),
      .connection(
        "name-hostile", "the server gives a path that leads out of the folder", "NameOfTheServer",
        loads: .body(divisor: 64, options: "disposition=../escaped"), run: NameOfTheServer.run),
    ],
    session: [.session("collected", "data task delegate that collects", "CollectingInTask", run: CollectingInTask.run)],
    claims: [
      Claim("N1-16", needs: names.keys.map { "connection/\($0)" }.sorted()) { results, findings in
        for (name, expected) in names.sorted(by: { $0.key < $1.key }) {
          let run = try results.first("connection/\(name)")
          let paths = run.files.map(\.path)
          findings.note(
            "\(name): \(paths.joined(separator: ", "))", "the last part of the name, inside of downloads",
            paths.count == 1 && paths[0].hasPrefix("downloads/") && paths[0].hasSuffix(expected) && run.files[0].isBody)
        }
      },
      Claim("N1-17", needs: ["connection/released", "session/collected"], leastBody: 8 << 20) { results, findings in
        for run in try [results.first("connection/released"), results.first("session/collected")] {
          findings.noteGrowth(of: run, body: results.bodyBytes, in: 0.95...1.3)
          findings.noteFile(of: run)
        }
      },
      Claim("N1-18", needs: ["connection/released", "connection/kept"], leastBody: 8 << 20) { results, findings in
        for (name, isReleased) in [("released", true), ("kept", false)] {
          let run = try results.first("connection/\(name)")
          let given = run.result.memory.growth - run.growth(at: try run.instant(of: "a moment later"))
          let isHalf = given >= results.bodyBytes / 2
          findings.note(
            "\(name): \(Words.ratio(max(0, given), results.bodyBytes)) S of the peak given back a moment after the end",
            isReleased ? "at least 0.5 S" : "less than 0.5 S", isHalf == isReleased)
        }
      },
    ])
}
