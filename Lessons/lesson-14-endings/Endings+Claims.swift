// SPDX-License-Identifier: Apache-2.0
import LessonKit

extension Endings {
  static let claims: [Claim] = [
    Claim("N1-13", needs: failing) { results, findings in
      for run in try failing.map({ try results.first($0) }) {
        let code = run.result.outcome.error.map { $0.name.isEmpty ? "\($0.code)" : $0.name } ?? "no error"
        findings.note("\(run.name): \(code)", "one failure each", run.failures == 1 && run.finishes == 0)
      }
    },
    Claim("N2-03", needs: ["connection/cancelled"]) { results, findings in
      let run = try results.first("connection/cancelled")
      let cancelled = try run.instant(of: "cancelled")
      let late = run.recording.callbacks.filter { $0.last > cancelled }
      findings.note(
        "\(run.callbacks) callbacks without a call of start(), \(late.count) kinds of them after the cancel", "some; 0",
        run.callbacks > 0 && late.isEmpty && run.failures + run.finishes == 0)
    },
    Claim("N2-07", needs: failing) { results, findings in
      let runs = try failing.map { try results.first($0) }
      let lines = runs.compactMap { $0.line("failed: ")?.text.dropFirst("failed: ".count) }
      findings.note(
        "\(lines.count { $0.hasPrefix("http://127.0.0.1:") }) of \(runs.count) errors carry the address, such as "
          + "\(lines.first ?? "none")", "all",
        lines.count == runs.count && lines.allSatisfy { $0.hasPrefix("http://127.0.0.1:") })
    },
    last("N2-08", CallbackName.fail, of: failing),
    last("N2-09", CallbackName.finish, of: finishing),
    Claim("N2-17", .qualified, needs: ["connection/unsupported"], because: creation) { results, findings in
      let run = try results.first("connection/unsupported")
      for (line, answer) in [("can handle: ", "false"), ("created: ", "true"), ("failed with code ", "-1002")] {
        let said = run.line(line)?.text ?? "\(line)nothing printed"
        findings.note(said, answer, said == line + answer)
      }
    },
    Claim("N4-03", needs: ["connection/started-again"]) { results, findings in
      let run = try results.first("connection/started-again")
      let requests = run.result.traffic.requests
      findings.note(
        "\(requests) request after two starts, \(run.finishes) finish", "1 and 1", requests == 1 && run.finishes == 1)
    },
    Claim("N5-03", needs: finishing) { results, findings in
      for run in try finishing.map({ try results.first($0) }) {
        let pieces = run.recording.count(CallbackName.receive, "data")
        let order = run.recording.sequence(of: try run.load().subject)
        let response = order.firstIndex { $0.hasSuffix("response") } ?? .max
        let data = order.firstIndex { $0.hasSuffix("data") } ?? .max
        findings.note(
          "\(run.name): \(pieces) pieces", run.name == "whole" ? "several, after the response" : "none",
          run.name == "whole" ? pieces > 1 && response < data : pieces == 0 && response < .max)
      }
    },
    Claim("N5-04", needs: failing) { results, findings in
      for run in try failing.map({ try results.first($0) }) {
        let responses = run.recording.count(CallbackName.receive, "response")
        let last = run.recording.sequence(of: try run.load().subject).last
        let isInBody = ["reset-in-body", "truncated"].contains(run.name)
        findings.note(
          "\(run.name): \(responses == 0 ? "before" : "after") the response",
          "before or in the body, and the last message",
          responses == (isInBody ? 1 : 0) && last == CallbackName.fail)
      }
    },
    Claim("N5-05", needs: failing + finishing) { results, findings in
      let runs = try (failing + finishing).map { try results.first($0) }
      let ends = runs.map { ($0.finishes, $0.failures) }
      findings.note(
        "\(ends.count { $0 == (1, 0) }) finished, \(ends.count { $0 == (0, 1) }) failed, of \(runs.count)",
        "one end each",
        ends.allSatisfy { $0.0 + $0.1 == 1 })
    },
  ]

  private static let creation =
    "With an address that can be parsed creation succeeds; what cannot be loaded is reported "
    + "as a failure. Ask canHandle(_:) before. nil comes only for a request without an address."

  /// This message comes once and is the last, watched for half a second.
  private static func last(_ id: String, _ name: String, of examples: [String]) -> Claim {
    Claim(id, needs: examples) { results, findings in
      let runs = try examples.map { try results.first($0) }
      let last = try runs.filter { run in
        try run.recording.count(name) == 1 && run.recording.sequence(of: run.load().subject).last == name
      }.count
      findings.note("the last message in \(last) of \(runs.count) loads", "all, 500 ms later", last == runs.count)
    }
  }
}

extension ExampleRun {
  fileprivate var failures: Int { recording.count(CallbackName.fail) }
  fileprivate var finishes: Int { recording.count(CallbackName.finish) }
}
