// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 13.
enum RepeatedResponse {
  private static let parts = Example.Resource.path("/parts?parts=3&size=1KiB&pause=0.2")

  static let lesson: Lesson = .make(
    13, "response-again", "A response that comes again", minutes: 10,
    connection: [
      .connection("reset", "drops what came before", "ResponseAgain", loads: parts, run: ResponseAgain.resetting),
      .connection(
        "not-reset", "joins everything (defective)", "ResponseAgain", loads: parts, run: ResponseAgain.joining),
    ],
    session: [
      .session("reset", "drops what came before", "ResponseAgainTask", loads: parts, run: ResponseAgainTask.resetting),
      .session(
        "not-reset", "joins everything (defective)", "ResponseAgainTask", loads: parts, run: ResponseAgainTask.joining),
    ],
    claims: [
      Claim("N2-05", needs: ["connection/reset", "connection/not-reset"]) { results, findings in
        for (name, bytes) in [("reset", 1024), ("not-reset", 3 * 1024)] {
          let run = try results.first("connection/\(name)")
          let said = run.line("the document has ")?.text ?? "nothing printed"
          let responses = run.recording.count(CallbackName.receive, "response")
          findings.note(
            "\(name): \(responses) responses, \(said)", name == "reset" ? "3, and 1024 bytes" : "3, and too many bytes",
            responses == 3 && said == "the document has \(bytes) bytes")
        }
      },
      Claim(
        "N4-06", .refuted, needs: ["connection/reset"],
        because:
          "Once is what one mostly sees. Each part of a multipart/x-mixed-replace body brings a response of its own."
      ) { results, findings in
        let count = try results.first("connection/reset").recording.count(CallbackName.receive, "response")
        findings.note("\(count) responses for one request", "more than 1", count > 1)
      },
      Claim("N5-02", needs: ["connection/reset"]) { results, findings in
        try findings.noteTurns(of: results.first("connection/reset"))
      },
      Claim("N5-03", needs: ["connection/reset"]) { results, findings in
        try findings.noteTurns(of: results.first("connection/reset"))
      },
    ])
}

extension Findings {
  /// Each response comes before its data, and each part has both.
  fileprivate mutating func noteTurns(of run: ExampleRun) throws {
    let turns = run.recording.sequence(of: try run.load().subject).compactMap { $0.split(separator: " ").last }
      .filter { $0 == "response" || $0 == "data" }
    note(
      "in this order: \(turns.joined(separator: ", "))", "response, data, and so on, three times",
      turns == Array(repeating: ["response", "data"], count: 3).flatMap { $0 })
  }
}
