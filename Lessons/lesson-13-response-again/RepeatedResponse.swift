// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Lesson 13.
enum RepeatedResponse {
  /// Three parts: the generator's streams of the seeds 1, 2 and 3.
  private static let parts = Example.Resource.path("/parts?parts=3&size=1KiB&seed=1&pause=0.2")
  private static let picture = Example.Product.file("picture", .seeded(seed: 3, bytes: 1024))

  static let lesson: Lesson = .make(
    13, "response-again", "More than one response", minutes: 10,
    connection: [
      .connection("reset", "drops what came before", "ResponseAgain", loads: parts, run: ResponseAgain.run)
        .makes(picture),
      .connection(
        "not-reset", "joins everything (defective)", "JoinedResponses", loads: parts, run: JoinedResponses.run
      )
      .makes(picture),
    ].besideOthers(),
    session: [
      .session("reset", "drops what came before", "ResponseAgainTask", loads: parts, run: ResponseAgainTask.run)
        .makes(picture),
      .session(
        "not-reset", "joins everything (defective)", "JoinedResponsesTask", loads: parts, run: JoinedResponsesTask.run
      ).makes(picture),
    ].besideOthers(),
    claims: [
      repeated("N2-05"),
      Claim("N4-06", .refuted, needs: ["connection/reset"], because: once) { results, findings in
        let run = try results.first("connection/reset")
        findings.noteResponses(of: run, bound: "more than 1 for one request") { $0 > 1 && run.requests.count == 1 }
      },
      repeated("N5-02"),
      Claim("N5-03", needs: ["connection/reset"], because: "That it may never come is shown in lesson 14.") {
        results, findings in
        let run = try results.first("connection/reset")
        let turns = run.turns(of: try run.load().subject)
        findings.note(
          run.label, "in this order: \(turns.joined(separator: ", "))",
          "each piece of data after a response, three times",
          turns == Array(repeating: ["response", "data"], count: 3).flatMap { $0 })
      },
    ],
    pairs: [.pair("reset", "reset"), .pair("not-reset", "not-reset")],
    shows: [.callbacks, .printed],
    about: .of("picture", .product, wrong: "connection/not-reset", right: "connection/reset"),
    predict: Prediction(
      "One request goes to a page that shows three pictures, one in place of the other. How often is "
        + "didReceiveResponse called?",
      answers: ["once", "three times", "never, since the type of the body is not known"], right: 2, shownBy: "N4-06"))

  /// Three responses, each after the head of its part; what was not dropped spoils the picture.
  private static func repeated(_ id: String) -> Claim {
    Claim(id, needs: ["connection/reset", "connection/not-reset"]) { results, findings in
      let (reset, joined) = try (results.first("connection/reset"), results.first("connection/not-reset"))
      for run in [reset, joined] { findings.noteResponses(of: run, bound: "3 for one request") { $0 == 3 } }
      findings.notePicture(of: reset, "the last part alone", holds: reset.isRight)
      findings.notePicture(of: joined, "not the last part alone", holds: !joined.isRight)
    }
  }

  private static let once: Phrase =
    "Once is what one mostly sees. Each part of a multipart/x-mixed-replace body brings a response of its own."
}

extension ExampleRun {
  /// The load's responses and pieces of data, in order.
  fileprivate func turns(of subject: UInt64) -> [String] {
    recording.sequence(of: subject).compactMap { $0.split(separator: " ").last.map(String.init) }
      .filter { $0 == "response" || $0 == "data" }
  }
}

extension Findings {
  fileprivate mutating func noteResponses(of run: ExampleRun, bound: Phrase, holds: (Int) -> Bool) {
    let count = run.recording.count(CallbackName.receive, "response")
    note(run.label, .count(count, "response"), bound, holds(count))
  }

  fileprivate mutating func notePicture(of run: ExampleRun, _ bound: Phrase, holds: Bool) {
    let bytes = run.files.first { $0.path == "picture" }?.bytes
    note(
      run.label, bytes.map { "a picture of \($0) bytes" } ?? "no picture", bound,
      holds && bytes != nil)
  }
}
