// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit

@Suite struct DiskSpaceTests {
  private func example(_ product: Example.Product, loads resource: Example.Resource = .body()) -> Example {
    Example("connection/a", .connection, "a", file: "a.swift", loads: resource) { _ in }.makes(product)
  }

  private func needed(_ examples: [Example], jobs: Int = 1) -> Int {
    DiskSpace(in: "/tmp", for: examples, bodyBytes: 64 << 20, jobs: jobs).needed
  }

  @Test func `a run needs room for its largest file and a margin, and none where it makes no file`() {
    let files = [example(.file("a")), example(.file("b"), loads: .body(times: 8)), example(.lastBody)]
    #expect(needed(files) == 528 << 20)
    #expect(needed(files, jobs: 2) == 592 << 20)
    #expect(needed([example(.lastBody), example(.line("a"))]) == 0)
  }

  @Test func `a run that lacks room says how much it needs and how much there is`() {
    let space = DiskSpace(folder: "/a", needed: 80 << 20, free: 3 << 20)
    let error = #expect(throws: LessonKitError.self) { try space.require() }
    #expect(error?.code == .environment)
    #expect(error?.description.contains("need 80\u{A0}MiB in /a, and 3\u{A0}MiB are free there.") == true)
    #expect(throws: Never.self) { try DiskSpace(folder: "/a", needed: 1, free: 1).require() }
    #expect(throws: Never.self) { try DiskSpace(folder: "/a", needed: 1, free: nil).require() }
  }

  @Test func `an example that the disk had no room for leaves its claims open, with the reason`() throws {
    let claim = Claim("N1-09", needs: ["connection/a"]) { results, findings in
      _ = try results.first("connection/a")
      findings.note("0", "1", false)
    }
    var run = ExampleRun(
      result: ExampleResult(id: "connection/a", side: .connection, outcome: Outcome(kind: .finished)))
    #expect(ClaimResult(claim, settledFrom: RunResults(bodyBytes: 1, runs: [run])).verdict == .refuted)
    run.shortage = DiskSpace(folder: "/a", needed: 80 << 20, free: 3 << 20).sentence
    let result = ClaimResult(claim, settledFrom: RunResults(bodyBytes: 1, runs: [run]))
    #expect(result.verdict == .unsettled)
    #expect(
      result.findings.first?.measured.description
        == "connection/a gave no measurement: its files need 80\u{A0}MiB in /a, and 3\u{A0}MiB are free there")
  }
}
