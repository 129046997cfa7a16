// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension Endings {
  static let claims: [Claim] = [
    Claim("N1-13", needs: failing) { results, findings in
      for run in try failing.map({ try results.first($0) }) {
        findings.note(
          run.label,
          "\(Phrase.count(run.failures, "failure")) (\(run.result.outcome.error?.words ?? "-")), "
            + "\(Phrase.count(run.finishes, "finish", "finishes"))",
          "\(Phrase.count(1, "failure")), \(Phrase.count(0, "finish", "finishes"))",
          run.failures == 1 && run.finishes == 0)
      }
    },
    cancel,
    Claim("N2-07", needs: failing) { results, findings in
      for run in try failing.map({ try results.first($0) }) {
        let said = run.line("failed: ")?.text
        findings.note(
          run.label, said.map(Phrase.quoted) ?? "nothing printed",
          "the address that failed", said?.hasPrefix("failed: http://127.0.0.1:") == true)
      }
    },
    last("N2-08", CallbackName.fail, of: failing),
    last("N2-09", CallbackName.finish, of: finishing),
    Claim(
      "N2-17", .qualified, needs: ["connection/unsupported", "connection/no-address"],
      because:
        "Creation fails, with nil, where the request has no address. With an address it succeeds; what cannot be "
        + "loaded is reported as a failure, and canHandle(_:) says so before."
    ) { results, findings in
      let gopher = try results.first("connection/unsupported")
      findings.noteLines(of: gopher, ["can handle: false", "created: true", "failed with code -1002"])
      findings.noteLines(of: try results.first("connection/no-address"), ["can handle: false", "created: false"])
    },
    Claim("N4-03", needs: ["connection/started-again"]) { results, findings in
      let run = try results.first("connection/started-again")
      let name = run.label
      findings.note(
        name, .count(run.requests.count, "request after two starts", "requests after two starts"), "1",
        run.requests.count == 1 && run.line("started again") != nil)
      findings.note(name, .count(run.finishes, "finish", "finishes"), "1", run.finishes == 1)
    },
    pieces,
    Claim("N5-04", needs: failing) { results, findings in
      for run in try failing.map({ try results.first($0) }) {
        let responses = run.recording.count(CallbackName.receive, "response")
        let isInBody = ["reset-in-body", "truncated"].contains(run.name)
        let last = run.recording.sequence(of: try run.load().subject).last
        findings.note(
          run.label,
          responses == 0 ? "the failure came before the response" : "the failure came in the body",
          isInBody ? "in the body, as the last message" : "before the response, as the last message",
          responses == (isInBody ? 1 : 0) && last == CallbackName.fail)
      }
    },
    Claim("N5-05", needs: failing + finishing) { results, findings in
      let runs = try (failing + finishing).map { try results.first($0) }
      let ends = runs.map { ($0.finishes, $0.failures) }
      findings.note(
        "\(ends.count { $0 == (1, 0) }) loads finished, \(ends.count { $0 == (0, 1) }) failed, of \(runs.count)",
        "one end each", ends.allSatisfy { $0.0 + $0.1 == 1 })
    },
  ]

  private static let cancel = Claim("N2-03", needs: ["connection/cancelled"]) { results, findings in
    let run = try results.first("connection/cancelled")
    let name = run.label
    let cancelled = try run.instant(of: "cancelled")
    let late = run.result.ticks.filter { $0.instant > cancelled }.reduce(0) { $0 + $1.count }
    findings.note(
      name, "\(run.callbacks) callbacks without a call of start()", "more than 0", run.callbacks > 0)
    findings.note(name, "\(late) callbacks after cancel()", "0, also \(Words.amount(1, "s")) later", late == 0)
    findings.note(
      name, "\(Phrase.count(run.failures, "failure")), \(Phrase.count(run.finishes, "finish", "finishes"))",
      "no end at all", run.failures + run.finishes == 0)
  }

  private static let pieces = Claim("N5-03", needs: finishing) { results, findings in
    for run in try finishing.map({ try results.first($0) }) {
      let count = run.recording.count(CallbackName.receive, "data")
      let order = run.recording.sequence(of: try run.load().subject)
      let response = order.firstIndex { $0.hasSuffix("response") } ?? .max
      let data = order.firstIndex { $0.hasSuffix("data") } ?? .max
      let isWhole = run.name == "whole"
      findings.note(
        run.label, .count(count, "piece of data", "pieces of data"),
        isWhole ? "several, the first after the response" : "none, although a response came",
        isWhole ? count > 1 && response < data : count == 0 && response < .max)
    }
  }

  /// This message comes once and is the last, watched for half a second.
  private static func last(_ id: String, _ name: String, of examples: [String]) -> Claim {
    Claim(id, needs: examples) { results, findings in
      for run in try examples.map({ try results.first($0) }) {
        let last = try run.recording.sequence(of: run.load().subject).last
        findings.note(
          run.label, "the last message: \(last ?? "-")", "this one, once, also \(Words.amount(500, "ms")) later",
          run.recording.count(name) == 1 && last == name)
      }
    }
  }
}

extension ExampleRun {
  fileprivate var failures: Int { recording.count(CallbackName.fail) }
  fileprivate var finishes: Int { recording.count(CallbackName.finish) }
}

extension Findings {
  /// The program printed exactly these lines.
  fileprivate mutating func noteLines(of run: ExampleRun, _ lines: [String]) {
    for (index, wanted) in lines.enumerated() {
      let said = run.recording.lines.indices.contains(index) ? run.recording.lines[index].text : nil
      note(
        run.label, said.map(Phrase.quoted) ?? "nothing printed", .quoted(wanted),
        said == wanted)
    }
  }
}
