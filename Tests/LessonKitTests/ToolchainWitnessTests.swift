// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit

/// What runs with the toolchain's URLSession add to a claim.
@Suite struct ToolchainWitnessTests {
  private static let bytes = 100
  private static let session = Example("session/a", .session, "", file: "A.swift") { _ in }

  /// A run that received so many bytes.
  private func run(_ id: String, _ side: Side, _ bytes: Int, seen: Bool? = nil) -> ExampleRun {
    var result = ExampleResult(id: id, side: side, outcome: Outcome(kind: .finished, bytes: bytes))
    result.seesCallbacks = seen
    return ExampleRun(result: result)
  }

  private func whole(_ needs: String...) -> Claim {
    Claim("N1-12", needs: needs) { results, findings in
      for id in needs {
        let found = try results.first(id).result.outcome.bytes
        findings.note(Phrase(verbatim: id), "\(found) bytes", "\(Self.bytes) bytes", found == Self.bytes)
      }
    }
  }

  /// The claim as settled from a run of each column, and one of the toolchain's.
  private func result(_ claim: Claim, session: Int = bytes, _ foundation: ExampleRun) -> ClaimResult {
    var lesson = Lesson(
      number: 5, slug: "toy", title: "", minutes: 1,
      examples: [Example("connection/a", .connection, "", file: "") { _ in }, Self.session], claims: [claim])
    lesson.examples.append(Self.session.substituted(by: "/program", program: "session/a"))
    let runs = [
      run("connection/a", .connection, Self.bytes), run("session/a", .session, session), foundation,
    ]
    return ClaimResult(
      claim, settledFrom: RunResults(bodyBytes: Self.bytes, runs: runs),
      ToolchainWitness(lesson, runs, bodyBytes: Self.bytes))
  }

  @Test func `the same verdict there is evidence`() {
    let result = result(whole("connection/a", "session/a"), run("foundation/a", .foundation, Self.bytes, seen: true))
    #expect(result.verdict == .confirmed && result.evidence == .toolchain)
    #expect(result.toolchain == ToolchainVerdict(.confirmed))
  }

  @Test func `another verdict there leaves the evidence and names the points that differ`() {
    let result = result(whole("connection/a", "session/a"), run("foundation/a", .foundation, 7, seen: true))
    #expect(result.verdict == .confirmed && result.evidence == ClaimTable["N1-12"]?.evidence)
    #expect(result.toolchain?.verdict == .refuted)
    #expect(result.toolchain?.differing.map(\.what.description) == ["session/a"])
    #expect(result.toolchain?.differing.map(\.measured.description) == ["7 bytes"])
  }

  @Test func `nothing is said where callbacks were not seen, or the program did not come to its end`() {
    for seen in [false, nil] {
      #expect(result(whole("session/a"), run("foundation/a", .foundation, 7, seen: seen)).toolchain == nil)
    }
    var crashed = run("foundation/a", .foundation, 7, seen: true)
    crashed.wasMeasured = false
    #expect(result(whole("session/a"), crashed).toolchain == nil)
    var failed = run("foundation/a", .foundation, 7, seen: true)
    failed.result.outcome.kind = .failed
    #expect(result(whole("session/a"), failed).toolchain == nil)
  }

  @Test func `nothing is said of a claim about connections, of an unsettled one, and of one about ours alone`() {
    let other = run("foundation/a", .foundation, 7, seen: true)
    #expect(result(whole("connection/a"), other).toolchain == nil)
    #expect(result(whole("session/a").aboutOursAlone(), other).toolchain == nil)
    let unsettled = Claim("N1-12", needs: ["session/a"]) { _ in Settlement(.unsettled, measured: "", bound: "") }
    #expect(result(unsettled, other).toolchain == nil)
  }
}
