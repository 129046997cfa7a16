// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 6.
enum Accumulate {
  /// The name that each example's file must get, by the example.
  private static let names = ["name-given": "report.pdf", "name-from-address": "body", "name-hostile": "escaped"]

  static let lesson: Lesson = .make(
    6, "accumulate", "Collecting in memory", minutes: 12,
    connection: [
      .connection("released", "collected, written, released", "Collecting", run: Collecting.run)
        .makes(.file("download")),
      .connection("kept", "collected, written, kept (defective)", "Keeping", run: Keeping.run)
        .makes(.file("download")),
      named("name-given", "the server gives a name", options: "disposition=report.pdf"),
      named("name-from-address", "the name comes from the address"),
      named(
        "name-hostile", "the server gives a path that leads out of the folder", options: "disposition=../escaped"),
    ],
    session: [
      .session("collected", "data task delegate that collects", "CollectingInTask", run: CollectingInTask.run)
        .makes(.file("download"))
    ],
    claims: [nameOfTheServer, peak, memoryAfterwards],
    pairs: [.pair("released", "collected")],
    shows: [.timeline, .memory, .printed],
    about: .of("memory left at the end", .left, wrong: "connection/kept", right: "connection/released"),
    predict: Prediction(
      "A delegate joins the pieces of a body of S bytes and writes the whole at the end. How far does its memory grow?",
      answers: ["by one piece", "by about half of S", "by S or a little more", "by twice S or more"], right: 3,
      shownBy: "N1-17"))

  private static func named(_ name: String, _ title: String, options: String = "") -> Example {
    .connection(
      name, title, "NameOfTheServer", loads: .body(divisor: 64, options: options), run: NameOfTheServer.run
    ).makes(.file("downloads/\(names[name] ?? name)"))
  }

  private static let nameOfTheServer = Claim("N1-16", needs: names.keys.map { "connection/\($0)" }.sorted()) {
    results, findings in
    for (name, expected) in names.sorted(by: { $0.key < $1.key }) {
      let run = try results.first("connection/\(name)")
      let paths = run.files.map(\.path)
      findings.note(
        run.label, paths.isEmpty ? "no file" : Phrase(verbatim: paths.joined(separator: ", ")),
        "downloads/\(expected), and no other file", paths == ["downloads/\(expected)"] && run.files[0].isBody)
    }
  }

  private static let peak = Claim(
    "N1-17", needs: ["connection/released", "connection/kept", "session/collected"], leastBody: 8 << 20
  ) { results, findings in
    for id in ["connection/released", "connection/kept", "session/collected"] {
      let run = try results.first(id)
      findings.noteGrowth(of: run, body: results.bodyBytes, in: 0.95...1.3)
      findings.noteFile(of: run)
    }
  }

  private static let memoryAfterwards = Claim(
    "N1-18", needs: ["connection/released", "session/collected", "connection/kept"], leastBody: 8 << 20
  ) { results, findings in
    for (id, isReleased) in [
      ("connection/released", true), ("session/collected", true), ("connection/kept", false),
    ] {
      let run = try results.first(id)
      let before = run.result.memory.growth
      let after = try run.growth(atLine: "a moment later")
      let falls = before - after >= results.bodyBytes / 2
      findings.note(
        run.label,
        "+\(Words.size(before)) at most, +\(Words.size(after)) a moment later",
        isReleased ? "falls by at least \(Words.amount(0.5, "S"))" : "falls by less than \(Words.amount(0.5, "S"))",
        falls == isReleased)
    }
  }
}
