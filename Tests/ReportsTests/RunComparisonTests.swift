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
      id: id, side: id.hasPrefix("session") ? .session : .connection,
      outcome: Outcome(kind: kind, bytes: 5, status: 200),
      time: TimeUse(wall: 0.2, cpu: cpu), memory: MemoryUse(growth: growth),
      callbacks: [CallbackCount(name: "done()", count: 3, first: 0, last: 1, places: [place])])
  }

  private func report(_ examples: [ExampleResult], verdict: Verdict = .confirmed, size: Int = 64 << 20) -> RunReport {
    RunReport(
      machine: .current(), started: "2026-01-01T00:00:00Z", bodyBytes: size,
      lessons: [
        LessonResult(
          id: "lesson-05", title: "", examples: examples,
          claims: [ClaimResult(id: "N1-11", verdict: verdict, expected: .confirmed, findings: [])])
      ])
  }

  private func text(_ comparison: RunComparison, _ language: Language = .english) -> String {
    comparison.text(style: TextStyle(width: 80, isColored: false, catalogue: StringCatalogue(language)))
  }

  @Test func `two runs that differ by noise are equal`() {
    let comparison = RunComparison(report([example()]), report([example(cpu: 0.11, growth: (4 << 20) + 100_000)]))
    #expect(comparison.kinds.isEmpty && comparison.amounts.isEmpty)
    #expect(!comparison.hasOtherResults)
    #expect(text(comparison) == "Compared: 1 example, 1 claim. No difference beyond noise.\n")
  }

  @Test func `differences of kind stand apart from differences of amount`() {
    let comparison = RunComparison(
      report([example()]),
      report([example(kind: .failed, cpu: 0.5, growth: 12 << 20, place: Self.worker)], verdict: .refuted))
    #expect(comparison.hasOtherResults)
    #expect(
      text(comparison).replacing("\u{A0}", with: " ") == """
        Ends, products, places and verdicts that changed
          lesson-05
            connection/a
              end        finished, HTTP 200 → failed, HTTP 200
              done()     main thread, mode default → a thread off main
            N1-11
              verdict    confirmed → refuted

        Amounts that differ beyond noise
          lesson-05
            connection/a
              processor  0.10 s → 0.50 s (× 5.00)
              growth     4.0 MiB → 12.0 MiB (× 3.00)

        Compared: 1 example, 1 claim. Other results: 2; other places: 0; other amounts:
        1.

        """)
  }

  @Test func `a response that came before a load was cancelled is no other result`() {
    let before = report([example(kind: .cancelled)])
    var after = before
    after.lessons[0].examples[0].outcome.status = 0
    #expect(before.lessons[0].examples[0].outcome.status == 200)
    #expect(RunComparison(before, after).kinds.isEmpty)
  }

  @Test func `another place alone is no other result`() {
    let comparison = RunComparison(report([example()]), report([example(place: Self.worker)]))
    #expect(comparison.kinds.count == 1 && !comparison.hasOtherResults)
  }

  @Test func `numbers of threads and of nameless queues are no places`() {
    let places = [(4, "queue 1"), (5, "queue 2"), (9, "NSOperationQueue 0x000055ba0ee05fd0")].map { id, queue in
      PlaceCount(thread: .init(id: id, name: "", main: false), queue: queue, count: 3)
    }
    for place in places {
      #expect(RunComparison(report([example(place: places[0])]), report([example(place: place)])).kinds.isEmpty)
    }
    let named = PlaceCount(thread: .init(id: 4, name: "", main: false), queue: "loads", count: 3)
    #expect(RunComparison(report([example(place: places[0])]), report([example(place: named)])).kinds.count == 1)
  }

  @Test func `a product that became another is a difference of kind`() {
    func made(_ comparison: ProductResult.Comparison) -> ExampleResult {
      var example = example()
      example.product = ProductResult(kind: .file, name: "a", bytes: 1, expectedBytes: 1, comparison: comparison)
      return example
    }
    let comparison = RunComparison(report([made(.equal)]), report([made(.different)]))
    #expect(comparison.kinds.first?.changes.map(\.what) == ["product"] && comparison.hasOtherResults)
    #expect(RunComparison(report([example()]), report([made(.equal)])).kinds.isEmpty, "one of them says nothing of it")
  }

  @Test func `repetitions count with their median and their range`() {
    let once = [0.1, 0.1, 0.9].map { example(cpu: $0) }
    #expect(RunComparison(report([example()]), report(once)).amounts.isEmpty)
    let before = [0.100, 0.101, 0.102].map { example(cpu: $0) }
    let after = [0.160, 0.161, 0.162].map { example(cpu: $0) }
    #expect(RunComparison(report(before), report(after)).amounts.count == 1)
    let wide = [0.101, 0.161, 0.162].map { example(cpu: $0) }
    #expect(RunComparison(report(before), report(wide)).amounts.isEmpty, "the ranges overlap")
    let small = [0.001, 0.001, 0.001].map { example(cpu: $0) }
    let below = [0.005, 0.005, 0.005].map { example(cpu: $0) }
    #expect(RunComparison(report(small), report(below)).amounts.isEmpty, "below 5 ms")
  }

  @Test func `requests count each, but not where a load was cancelled`() {
    func asking(_ count: Int, _ end: Outcome.Kind) -> RunReport {
      var example = example()
      example.traffic.requests = count
      example.loads = [LoadResult(number: 1, kind: end)]
      return report([example])
    }
    #expect(RunComparison(asking(1, .finished), asking(2, .finished)).amounts.count == 1)
    #expect(RunComparison(asking(1, .cancelled), asking(2, .cancelled)).amounts.isEmpty)
  }

  @Test func `a single run's growth counts from 4 MiB on, repeated from 1 MiB`() {
    let (less, more) = (example(growth: 3 << 20), example(growth: 5 << 20))
    #expect(RunComparison(report([less]), report([more])).amounts.isEmpty)
    let repeated = RunComparison(report([less, less, less]), report([more, more, more]))
    #expect(repeated.amounts.count == 1)
  }

  @Test func `other circumstances and what only one run has take one sentence each`() {
    let many = (1...9).map { example("connection/\($0)") }
    let comparison = RunComparison(
      report(many + [example("session/a")]), report([example("connection/9"), example("connection/x")], size: 1 << 20))
    #expect(comparison.circumstances.map(\.what) == ["body"])
    #expect(
      comparison.remarks.map(\.description) == [
        "The bodies have different sizes: amounts are not compared.",
        "Only the first run has 8 examples of lesson-05 (connection/1, connection/2, connection/3 and 5 more), "
          + "the examples “session” of lesson-05.",
        "Only the second run has 1 example of lesson-05 (connection/x).",
      ])
    #expect(!comparison.hasOtherResults)
  }

  @Test func `a partial run is named, and lessons that only one run has`() {
    var whole = report([example()])
    whole.lessons.append(LessonResult(id: "lesson-06", title: "", examples: [example("session/b")], claims: []))
    var part = report([example()])
    part.partial = true
    #expect(
      RunComparison(whole, part).remarks.map(\.description) == [
        "The second run was interrupted; its report is partial.", "Only the first run has lesson-06.",
      ])
  }

  @Test func `a claim that the size left open is no changed verdict`() {
    var small = report([example()], verdict: .unsettled)
    small.lessons[0].claims[0].tooSmall = true
    #expect(RunComparison(report([example()]), small).kinds.isEmpty)
  }
}
