// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports
import Testing

@Suite struct RunComparisonTests {
  private static let main = PlaceCount(
    thread: .init(id: 1, name: "", main: true), runLoopMode: "kCFRunLoopDefaultMode", count: 3)
  private static let worker = PlaceCount(thread: .init(id: 4, name: "", main: false), count: 3)

  private func example(
    _ id: String = "connection/a", kind: Outcome.Kind = .finished, cpu: Double = 0.1, growth: Int = 4 << 20,
    place: PlaceCount = main
  ) -> ExampleResult {
    ExampleResult(
      id: id, side: .connection, outcome: Outcome(kind: kind, bytes: 5, checksumOK: true, status: 200),
      time: TimeUse(wall: 0.2, cpu: cpu), memory: MemoryUse(growth: growth),
      callbacks: [CallbackCount(name: "done()", count: 3, first: 0, last: 1, places: [place])])
  }

  private func report(_ examples: [ExampleResult], verdict: Verdict = .confirmed, size: Int = 64 << 20) -> RunReport {
    RunReport(
      machine: .current(), started: "2026-01-01T00:00:00Z", bodyBytes: size,
      lessons: [
        LessonResult(
          id: "lesson-05", title: "", examples: examples,
          claims: [ClaimResult(id: "N1-11", verdict: verdict, expected: .confirmed, measured: "", bound: "")])
      ])
  }

  @Test func `two runs that differ by noise are equal`() {
    let comparison = RunComparison(report([example()]), report([example(cpu: 0.11, growth: (4 << 20) + 100_000)]))
    #expect(comparison.examples.isEmpty)
    #expect(comparison.claims.isEmpty)
    #expect(!comparison.hasOtherResults)
    #expect(
      comparison.text(style: TextStyle(width: 80, isColored: false)) == """
        0 of 1 example differ beyond noise; of 1 claim no verdict changed.

        """)
  }

  @Test func `what differs stands beside what it was`() {
    let comparison = RunComparison(
      report([example()]),
      report([example(kind: .failed, cpu: 0.3, growth: 12 << 20, place: Self.worker)], verdict: .refuted))
    #expect(comparison.hasOtherResults)
    #expect(
      comparison.text(style: TextStyle(width: 80, isColored: false)) == """
        lesson-05
          connection/a
            outcome    finished · HTTP 200 · checksum equal → failed · HTTP 200
            processor  0.10 s → 0.30 s (× 3.00)
            growth     4.0 MiB → 12.0 MiB (× 3.00)
            done()     main thread, mode default → a thread off main
          N1-11
            verdict    confirmed → refuted
        1 of 1 example differ beyond noise; of 1 claim 1 verdict changed.

        """)
  }

  @Test func `repetitions count with their median`() {
    let runs = [0.1, 0.1, 0.9].map { example(cpu: $0) }
    #expect(RunComparison(report([example()]), report(runs)).examples.isEmpty)
  }

  @Test func `other circumstances, new and missing examples are named`() {
    let comparison = RunComparison(
      report([example("connection/gone")]), report([example("session/new")], size: 1 << 20))
    #expect(comparison.circumstances.map(\.what) == ["body"])
    #expect(comparison.onlyBefore == ["lesson-05 connection/gone"])
    #expect(comparison.onlyAfter == ["lesson-05 session/new"])
    #expect(!comparison.hasOtherResults)
  }

  @Test(arguments: [
    ("", "is no report of a run: write one with `workbench run --json`."),
    (#"{"schema": 7}"#, "has version 7 of the report; only version 1 is known here."),
    (#"{"schema": 1}"#, "is not a whole report of a run: write it again with `workbench run --json`."),
  ])
  func `a file that is no report is refused with the cure`(text: String, sentence: String) {
    let error = #expect(throws: LessonKitError.self) { try JSONReport.run(from: Data(text.utf8), named: "a.json") }
    #expect(error?.description == "“a.json” \(sentence)")
  }
}
