// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Answers that call themselves HTTP/2 on a connection that is none: whether they are refused or not, loads that follow keep
/// their own bodies. libcurl takes the label for the word of a host that takes several requests at once.
@Suite(.exitTests) struct LabelTests {
  @Test(arguments: ClientKind.allCases, [LabelRun.Way.plain, .secure])
  func `a labelled answer lets no two loads change places (H1-05)`(kind: ClientKind, way: LabelRun.Way) async throws {
    var run = LabelRun(kind, way)
    try await run.run()
    report(run)
  }

  /// Each in a process of its own, whose environment names the proxy; so not under a sanitizer, which measures itself in
  /// every process that ends.
  @Test(.enabled(if: !TestMachine.isSanitized), arguments: ClientKind.allCases, Label.all.map(\.name))
  func `behind a plain proxy no origin gets the body of another (H1-05)`(kind: ClientKind, label: String) async {
    await #expect(processExitsWith: .success) { [kind = kind as ClientKind, label = label as String] in
      var run = LabelRun(kind, .proxy)
      let labels = Label.all.filter { $0.name == label }
      do { try await run.run(labels) } catch { Issue.record(error) }
      LabelTests().report(run, labels)
    }
  }

  private func report(_ run: LabelRun, _ labels: [Label] = Label.all) {
    guard let first = run.breaches.first else {
      // Of all labels each kind has more than 200 loads on each way.
      #expect(run.loads == labels.count * LabelRun.rounds * 3)
      return
    }
    let text =
      "\(run.kind.rawValue), \(run.way): \(run.breaches.count) breaches and \(run.failures) errors in \(run.loads)"
    Issue.record("\(text) loads; \(first); \(run.breaches.dropFirst().joined(separator: "; "))")
  }
}
