// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Reports

/// Traces, archives and test cases of stored runs: by golden files, by a strict reader, and by their rules.
/// `Scripts/Readers/run` gives the golden files to readers of other people's.
@Suite struct PictureFormatTests {
  /// A run of two lessons that is small enough to be read in a golden file.
  private static func small() throws -> RunReport {
    var report = try Golden.report("lesson-09")
    var other = try Golden.report("lesson-05").lessons[0]
    other.examples = other.examples.filter { ["connection/delegate-main", "session/data-delegate"].contains($0.id) }
    report.lessons[0].examples = report.lessons[0].examples.filter {
      ["connection/touched-waiting", "connection/four-modes", "session/queue-main"].contains($0.id)
    }
    report.lessons.append(other)
    for lesson in report.lessons.indices {
      for example in report.lessons[lesson].examples.indices {
        report.lessons[lesson].examples[example].ticks = Array(report.lessons[lesson].examples[example].ticks.prefix(4))
        let curve = report.lessons[lesson].examples[example].memory.curve
        report.lessons[lesson].examples[example].memory.curve = Array(curve.prefix(3))
      }
    }
    report.lessons[0].claims[0].verdict = .unsettled
    report.lessons[0].claims[1].tooSmall = true
    return report
  }

  @Test func `pictures look as stored`() throws {
    let report = try Self.small()
    try Golden.compare(TraceReport(report).text(), with: "pictures.trace.json")
    try Golden.compare(HARReport(report).text(), with: "pictures.har")
    try Golden.compare(JUnitReport(report).text, with: "pictures.junit.xml")
  }

  // MARK: - Traces

  @Test(arguments: Golden.runs) func `a strict reader finds no fault in a trace`(_ run: String) throws {
    let reader = try TraceReader(TraceReport(Golden.report(run)).text())
    #expect(reader.faults == [])
    #expect(reader.events.count > 100)
  }

  @Test func `the strict reader finds each fault`() throws {
    let broken = [
      #"{"traceEvents": [], "displayTimeUnit": "ms"}"#,
      #"{"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "pid": 1, "tid": 1}]}"#,
      #"{"traceEvents": [{"ph": "e", "name": "a", "ts": 1, "pid": 1, "tid": 1, "cat": "c", "id": "1"}]}"#,
      #"{"traceEvents": [{"ph": "i", "name": "a", "ts": 1, "pid": 1, "tid": 1}]}"#,
      #"{"traceEvents": [{"ph": "C", "name": "a", "ts": 1, "pid": 1, "tid": 1, "args": {"bytes": "many"}}]}"#,
    ]
    for text in broken { #expect(try TraceReader(text).faults != []) }
    let overlap = #"""
      {"traceEvents": [{"ph": "M", "name": "thread_name", "ts": 0, "pid": 1, "tid": 1, "args": {"name": "t"}},
        {"ph": "X", "name": "a", "ts": 1, "dur": 5, "pid": 1, "tid": 1},
        {"ph": "X", "name": "b", "ts": 3, "dur": 5, "pid": 1, "tid": 1}]}
      """#
    #expect(try TraceReader(overlap).faults == ["slices of thread 1 overlap at 3.0"])
  }

  @Test(arguments: Golden.runs) func `a trace has each tick, each request and the whole curve`(_ run: String) throws {
    let lesson = try Golden.report(run).lessons[0]
    let events = try TraceReader(TraceReport(Golden.report(run)).text()).events
    for (index, example) in lesson.examples.enumerated() {
      let own = events.filter { $0.pid == index + 1 }
      let callbacks = own.filter { $0.object["cat"] as? String == "callback" }
      #expect(callbacks.count == example.ticks.count)
      #expect(own.count { $0.ph == "b" && $0.object["cat"] as? String == "request" } == example.requests.count)
      let curve = own.filter { $0.ph == "C" }.compactMap { $0.args["bytes"] as? Int }
      #expect(curve.max() == example.memory.curve.map(\.bytes).max())
      #expect(own.contains { $0.name == "touch begins" } == (example.happenings.touch != nil))
    }
  }

  // MARK: - Archives

  @Test(arguments: Golden.runs) func `an archive has an entry for each request, and its times add up`(
    _ run: String
  ) throws {
    let report = try Golden.report(run)
    let text = try HARReport(report).text()
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let log = try #require(object["log"] as? [String: Any])
    #expect(log["version"] as? String == "1.2")
    let entries = try #require(log["entries"] as? [[String: Any]])
    #expect(entries.count == report.lessons[0].examples.reduce(0) { $0 + $1.requests.count })
    let pages = try #require(log["pages"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    #expect(Set(pages) == ["\(run)-connection", "\(run)-session"])
    for entry in entries {
      #expect(pages.contains(entry["pageref"] as? String ?? ""))
      let timings = try #require(entry["timings"] as? [String: Any])
      let parts = ["blocked", "dns", "connect", "send", "wait", "receive"].compactMap { timings[$0] as? Double }
      #expect(parts.count == 6)
      let sum = parts.filter { $0 != -1 }.reduce(0, +)
      #expect(abs(sum - (entry["time"] as? Double ?? -1)) < 0.001)
      #expect((try? Date(entry["startedDateTime"] as? String ?? "", strategy: Self.milliseconds)) != nil)
    }
  }

  private static let milliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  @Test func `a request without an end lasts as long as its example`() throws {
    var report = try Golden.report("lesson-05")
    report.lessons[0].examples = [report.lessons[0].examples[0]]
    report.lessons[0].examples[0].requests[0].ended = nil
    report.lessons[0].examples[0].requests[0].status = nil
    let text = try HARReport(report).text()
    #expect(text.contains("the request never ended"))
    #expect(text.contains("\"status\" : 0"))
  }

  @Test func `an entry's wait lasts to the first bytes of the answer, and without an answer to the end`() throws {
    var report = try Golden.report("lesson-05")
    report.lessons[0].examples = [report.lessons[0].examples[0]]
    var seen = report.lessons[0].examples[0].requests[0]
    (seen.began, seen.answered, seen.ended) = (1, 1.25, 3)
    var silent = seen
    (silent.status, silent.answered) = (nil, nil)
    // A report of a former version says nothing of the answer's first bytes.
    var former = seen
    former.answered = nil
    report.lessons[0].examples[0].requests = [seen, silent, former]
    let read = try JSONReport.run(from: Data(JSONReport.text(report).utf8), named: "")
    let object = try JSONSerialization.jsonObject(with: Data(HARReport(read).text().utf8)) as? [String: Any]
    let entries = try #require((object?["log"] as? [String: Any])?["entries"] as? [[String: Any]])
    let timings = try entries.map { try #require($0["timings"] as? [String: Any]) }
    #expect(timings.map { $0["wait"] as? Double } == [250, 2000, 0])
    #expect(timings.map { $0["receive"] as? Double } == [1750, 0, 2000])
  }

  @Test func `a request over TLS has an address of https`() throws {
    var report = try Golden.report("lesson-05")
    report.lessons[0].examples = [report.lessons[0].examples[0]]
    #expect(try !HARReport(report).text().contains("\"https://"))
    report.lessons[0].examples[0].requests[0].tls = "TLSv1.3"
    #expect(try HARReport(report).text().contains("\"url\" : \"https://"))
  }

  // MARK: - Test cases

  @Test(arguments: Golden.runs) func `each claim is a case with its sides in a name of its own`(_ run: String) throws {
    let lesson = try Golden.report(run).lessons[0]
    let text = try JUnitReport(Golden.report(run)).text
    let names = text.matches(of: /<testcase classname="[^"]+" name="([^"]+)"/).map { String($0.output.1) }
    #expect(names.count == lesson.claims.count + lesson.checks.count)
    #expect(Set(names).count == names.count)
    for name in names { #expect(name.contains("(connection") || name.contains("(session")) }
  }

  @Test func `control characters stay out of XML`() throws {
    var report = try Golden.report("lesson-05")
    report.lessons[0].claims[0].verdict = .refuted
    report.lessons[0].claims[0].findings = [
      Finding(measured: "\u{1B}[31mred\u{0}\u{8}\u{FFFE} & <b>", bound: "", holds: false)
    ]
    let text = JUnitReport(report).text
    #expect(text.contains("[31mred &amp; &lt;b&gt;"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test func `a verdict that was not expected fails, one that S is too small for is skipped`() throws {
    let text = try JUnitReport(Self.small()).text
    #expect(text.contains("failures=\"1\" errors=\"0\" skipped=\"1\""))
    #expect(text.contains("<failure message=\"unsettled, expected: "))
    #expect(text.contains("<skipped message=\"not settled with this size\"/>"))
  }
}
