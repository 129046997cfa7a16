// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Exercises
@testable import LessonKit

/// Checks of a run's loads, of made-up runs.
@Suite struct LoadCheckTests {
  private static let thread = PlaceCount.ThreadID(id: 1, name: "", main: true)

  private func load(_ side: Side?, ended: Double? = nil, isAnswered: Bool = true) -> LoadRecord {
    var load = LoadRecord(subject: 1, origin: Self.thread, side: side, began: 0)
    load.endInstant = ended
    if isAnswered { load.stages = [.init(name: "headReceived", instant: 0.5)] }
    return load
  }

  /// A run whose program printed “on” at this instant, and of whose answers the server was done at these.
  private func facts(_ loads: [LoadRecord], printed: Double? = nil, served: [Double?] = []) throws -> RunFacts {
    var run = ExampleRun(result: ExampleResult(id: "session/run-1", side: .session, outcome: Outcome(kind: .finished)))
    run.recording.loads = loads
    run.recording.lines = [printed, printed.map { $0 + 9 }].compactMap { $0 }.map {
      PrintedLine(text: "on", instant: $0, thread: Self.thread, runLoopMode: nil, resident: 0)
    }
    run.result.requests = try served.map { ended in
      let text = """
        {"method": "GET", "target": "/a", "version": "HTTP/1.1", "fields": {}, "bodyBytes": 0, "bodyChecksum": "",
        "bytesSent": 0, "socket": 1, "began": 0\(ended.map { ", \"ended\": \($0)" } ?? "")}
        """
      return try JSONDecoder().decode(RequestSeen.self, from: Data(text.utf8))
    }
    return RunFacts(run: run, caseID: "run", bodyBytes: 1 << 20, seed: 7)
  }

  @Test(arguments: [
    ("connection", 1, 1), ("connection", 2, 1), ("session", 2, 2), ("session", 3, 2), ("any", 3, 3), ("any", 4, 3),
  ]) func `loads count where a server answered them, each for its own API`(_ side: String, _ least: Int, _ count: Int)
    throws
  {
    let facts = try facts([
      load(.connection), load(.session), load(.session), load(.session, isAnswered: false), load(nil),
    ])
    let check = try CheckKinds.parsing("{kind: api, side: \(side), at_least: \(least)}")
    #expect(check.judge(facts) == Judgement("\(count)", count >= least))
  }

  @Test func `a program without a load of the library's passes no check of the API`() throws {
    for side in ["connection", "session", "any"] {
      #expect(try !CheckKinds.parsing("{kind: api, side: \(side)}").judge(facts([], served: [1])).holds)
    }
    #expect(throws: LessonKitError.self) { try CheckKinds.parsing("{kind: api, side: foundation}") }
    #expect(throws: LessonKitError.self) { try CheckKinds.parsing("{kind: api}") }
  }

  private func goesOn(
    _ loads: [LoadRecord], printed: Double?, served: [Double?] = []
  ) throws -> (words: String, holds: Bool) {
    let judgement = try CheckKinds.parsing("{kind: goes_on, line: on, at_most: 0.5}")
      .judge(facts(loads, printed: printed, served: served))
    return (judgement.measured.description, judgement.holds)
  }

  @Test func `the program goes on soon after the end of its last load, and not before it`() throws {
    let loads = [load(.session, ended: 2), load(.session, ended: 1)]
    #expect(try goesOn(loads, printed: 2.25) == ("0.25 s after the end", true))
    #expect(try goesOn(loads, printed: 2.75) == ("0.75 s after the end", false))
    #expect(try goesOn(loads, printed: 1.75) == ("0.25 s before the end", false))
    #expect(try goesOn(loads, printed: nil) == ("nobody printed that", false))
    #expect(try goesOn([], printed: 1) == ("no load was started", false))
  }

  @Test func `a load whose end nobody is told of ends with the server's last answer`() throws {
    let loads = [load(.session, ended: 1), load(.connection)]
    #expect(try goesOn(loads, printed: 3.25, served: [1, 3]) == ("0.25 s after the end", true))
    #expect(try goesOn(loads, printed: 3.25, served: [3, nil]) == ("a load did not come to its end", false))
    #expect(try goesOn([load(.connection)], printed: 3.25) == ("a load did not come to its end", false))
    var cancelled = load(.connection)
    cancelled.cancelled = 3
    #expect(try goesOn([cancelled], printed: 3.25) == ("0.25 s after the end", true))
  }
}
