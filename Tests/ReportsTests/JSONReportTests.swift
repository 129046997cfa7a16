// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports
import Testing

@Suite struct JSONReportTests {
  private static let versionOne = """
    { "schema": 1, "started": "2026-01-01T00:00:00Z", "bodyBytes": 5,
      "machine": { "system": "a", "kernel": "b", "architecture": "c", "processors": 2, "memory": 3 },
      "lessons": [ { "id": "lesson-05", "title": "t",
        "examples": [ { "id": "connection/a", "title": "", "side": "connection",
          "outcome": { "kind": "finished", "bytes": 5, "checksumOK": false, "status": 200, "error": null, "why": "" },
          "time": { "wall": 1, "cpu": 0.5, "wakeups": 2 },
          "memory": { "baseline": 1, "peak": 3, "growth": 2, "curve": [[0, 1]] },
          "threads": { "before": 2, "peak": 4, "after": 3 },
          "callbacks": [ { "name": "done()", "detail": "", "count": 1, "first": 0, "last": 0,
            "places": [ { "thread": { "id": 1, "name": "", "main": true }, "queue": null, "runLoopMode": null,
              "count": 1 } ] } ],
          "mainThread": { "longestGap": 0.1 },
          "traffic": { "requests": 1, "sockets": 1, "bytesSent": 9, "ranges": [] } } ],
        "claims": [ { "id": "N1-11", "verdict": "confirmed", "expected": "confirmed", "measured": "148 pieces",
          "bound": "at least 2", "explanation": "" } ] } ] }
    """

  @Test func `a report of version 1 is read, without what it did not know`() throws {
    let report = try JSONReport.run(from: Data(Self.versionOne.utf8), named: "a.json")
    let example = try #require(report.lessons.first?.examples.first)
    #expect(report.schema == 1 && !report.partial)
    #expect(example.product == nil && example.loads.isEmpty && example.threads.library == 0)
    #expect(example.callbacks.first?.implemented == true)
    let claim = try #require(report.lessons.first?.claims.first)
    #expect(claim.findings == [Finding(measured: "148 pieces", bound: "at least 2", holds: true)])
    #expect(claim.evidence == nil)
  }

  @Test func `versions 1 and 2 can be compared`() throws {
    let old = try JSONReport.run(from: Data(Self.versionOne.utf8), named: "a.json")
    var new = old
    new.schema = 2
    let comparison = RunComparison(old, new)
    #expect(comparison.circumstances.map(\.what) == ["version"])
    #expect(comparison.remarks.count == 1 && comparison.kinds.isEmpty && comparison.amounts.isEmpty)
  }

  @Test func `what is written is read as it was`() throws {
    var report = try JSONReport.run(from: Data(Self.versionOne.utf8), named: "a.json")
    report.schema = 2
    report.partial = true
    report.lessons[0].incomplete = true
    #expect(try JSONReport.run(from: Data(JSONReport.text(report).utf8), named: "a.json") == report)
  }

  @Test(arguments: [("refuted", Verdict.defectShown), ("confirmed", .refuted), ("unsettled", .unsettled)])
  func `a defect of a note that an older report calls refuted is shown`(written: String, read: Verdict) throws {
    let text = Self.versionOne.replacingOccurrences(
      of: #""N1-11", "verdict": "confirmed", "expected": "confirmed""#,
      with: #""N4-07", "verdict": "\#(written)", "expected": "refuted""#)
    let claim = try #require(JSONReport.run(from: Data(text.utf8), named: "a.json").lessons.first?.claims.first)
    #expect(claim.verdict == read)
    #expect(claim.expected == .defectShown)
  }

  @Test(arguments: [
    ("", "is no report of a run: write one with `workbench run --json`."),
    ("[1]", "is no report of a run: write one with `workbench run --json`."),
    (#"{"schema": 7}"#, "has version 7 of the report; only versions 1 to 2 are known here."),
    (#"{"schema": 1}"#, "is not a whole report of a run: write it again with `workbench run --json`."),
    (#"{"schema": 2, "lessons": [5]}"#, "is not a whole report of a run: write it again with `workbench run --json`."),
  ])
  func `a file that is no report is refused with the cure`(text: String, sentence: String) {
    let error = #expect(throws: LessonKitError.self) { try JSONReport.run(from: Data(text.utf8), named: "a.json") }
    #expect(error?.description == "“a.json” \(sentence)")
  }
}
