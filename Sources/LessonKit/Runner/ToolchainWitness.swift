// SPDX-License-Identifier: Apache-2.0

/// The toolchain's column as a witness on a claim: the claim's own points, asked of the runs with the toolchain's URLSession in
/// place of the Session examples.
struct ToolchainWitness {
  /// The lesson's runs, with the toolchain's where a Session example was measured there.
  private let results: RunResults
  /// All Session examples of the lesson.
  private let sessions: Set<String>
  /// Those that were measured with the toolchain, each time to an end, with their callbacks in sight.
  private let measured: Set<String>

  /// The witness from a lesson's runs; nil where none of them is of the toolchain's column.
  init?(_ lesson: Lesson, _ runs: [ExampleRun], bodyBytes: Int) {
    var twins: [String: String] = [:]
    for example in lesson.examples { twins[example.id] = example.substitute?.twin }
    let own = runs.compactMap { run in twins[run.result.id].map { Self.standIn(run, for: $0) } }
    guard !own.isEmpty else { return nil }
    let lost = Set(own.filter { !$0.wasMeasured || $0.result.seesCallbacks != true }.map(\.result.id))
    let measured = Set(own.map(\.result.id)).subtracting(lost)
    let others = runs.filter { twins[$0.result.id] == nil && !measured.contains($0.result.id) }
    results = RunResults(bodyBytes: bodyBytes, runs: others + own.filter { measured.contains($0.result.id) })
    sessions = Set(lesson.examples.filter { $0.side == .session }.map(\.id))
    self.measured = measured
  }

  /// The run as that of the Session example it was built from.
  private static func standIn(_ run: ExampleRun, for twin: String) -> ExampleRun {
    var run = run
    run.result.id = twin
    run.result.side = .session
    return run
  }

  /// The verdict there; nil where it cannot be said: the claim asks no Session example, one of those it asks was not
  /// measured there to an end with its callbacks in sight, or what it asks for was not measured.
  func verdict(on claim: Claim, settledAs own: Settlement) -> ToolchainVerdict? {
    let asked = sessions.intersection(claim.needs)
    guard !claim.isAboutOursAlone, own.verdict != .unsettled, !asked.isEmpty, asked.isSubset(of: measured),
      let theirs = try? claim.judged(by: results), theirs.verdict != .unsettled
    else { return nil }
    guard theirs.verdict != own.verdict else { return ToolchainVerdict(theirs.verdict) }
    let others = theirs.findings.enumerated().filter { index, finding in
      !own.findings.indices.contains(index) || own.findings[index].holds != finding.holds
    }
    let differing = others.map(\.element)
    return ToolchainVerdict(theirs.verdict, differing: differing.isEmpty ? theirs.findings : differing)
  }
}
