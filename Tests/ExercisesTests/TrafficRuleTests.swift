// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Exercises
@testable import LessonKit

/// Judges made-up runs: what counts is which of them a rule lets pass.
@Suite struct TrafficRuleTests {
  /// A request as the server notes it.
  private func request(
    _ path: String, _ status: Int, began: Double = 0, ended: Double? = 0, fields: String = "{}"
  ) throws -> RequestSeen {
    let end = ended.map { ", \"ended\": \($0)" } ?? ""
    let text = """
      {"method": "GET", "target": "\(path)?seed=1", "version": "HTTP/1.1", "fields": \(fields), "bodyBytes": 0,
      "bodyChecksum": "", "status": \(status), "bytesSent": 0, "socket": 1, "began": \(began)\(end)}
      """
    return try JSONDecoder().decode(RequestSeen.self, from: Data(text.utf8))
  }

  private func facts(_ change: (inout ExampleRun) throws -> Void) rethrows -> RunFacts {
    var run = ExampleRun(result: ExampleResult(id: "session/run-1", side: .session, outcome: Outcome(kind: .finished)))
    try change(&run)
    return RunFacts(run: run, caseID: "run", bodyBytes: 1 << 20, seed: 7)
  }

  private func rule(_ map: String) throws -> CheckRule {
    try CheckRule(ManifestNode(parsing: map, file: "exercise.yml"))
  }

  @Test func `answers with a status are counted, of one path where it is given`() throws {
    let facts = try facts {
      $0.result.requests = [try request("/edition", 200), try request("/edition", 304), try request("/body", 304)]
    }
    #expect(try rule("{kind: answered, status: 304, exactly: 2}").judge(facts) == Judgement("\(2)", true))
    #expect(try rule("{kind: answered, status: 304, path: /edition, exactly: 1}").judge(facts).holds)
    #expect(try !rule("{kind: answered, status: 206, at_least: 1}").judge(facts).holds)
  }

  @Test func `the different values of a field are counted, in whatever case its name is written`() throws {
    let facts = try facts {
      $0.result.requests = try [
        #"{"authorization": "a"}"#, #"{"authorization": "b"}"#, #"{"authorization": "a"}"#, "{}",
      ]
      .map { try request("/basic", 401, fields: $0) }
    }
    #expect(try rule("{kind: values, name: Authorization, exactly: 2}").judge(facts) == Judgement("\(2)", true))
    #expect(try !rule("{kind: values, name: Authorization, exactly: 3}").judge(facts).holds)
  }

  @Test func `a body counts as whole when the server sent all of it`() throws {
    let facts = try facts { $0.result.requests = [try request("/body", 200)] }
    #expect(try rule("{kind: whole, exactly: 0}").judge(facts) == Judgement("\(0)", true))
  }

  @Test func `the longest request of a path is measured, and one without an end is none`() throws {
    let rule = try rule("{kind: lasting, path: /body, at_least: 1.5}")
    let facts = try facts {
      $0.result.requests = [
        try request("/body", 200, began: 1, ended: 2), try request("/body", 200, began: 1, ended: 3),
        try request("/other", 200, began: 0, ended: 9),
      ]
    }
    #expect(rule.judge(facts) == Judgement("\("2.00") s", true))
    let cut = try self.facts { $0.result.requests = [try request("/body", 200, began: 0, ended: nil)] }
    #expect(rule.judge(cut) == Judgement("no such request came to its end", false))
  }

  @Test func `all files that are left in the folder count`() throws {
    let folder = try TestFolder()
    _ = try folder.write([UInt8](repeating: 1, count: 600), to: "a")
    _ = try folder.write([UInt8](repeating: 2, count: 500), to: "b")
    let facts = facts { $0.files = FileSeen.all(in: folder.url.path, body: nil) }
    #expect(try rule("{kind: left, at_most: 2KiB}").judge(facts).holds)
    #expect(try !rule("{kind: left, at_most: 1KiB}").judge(facts).holds)
  }

  @Test func `a callback on a thread that is no queue's and not main is one on a thread of the program's own`() throws {
    let places = [
      PlaceCount(thread: .init(id: 1, name: "", main: true), runLoopMode: "kCFRunLoopDefaultMode", count: 4),
      PlaceCount(thread: .init(id: 2, name: "", main: false), queue: "queue 1", count: 3),
      PlaceCount(thread: .init(id: 3, name: "network", main: false), runLoopMode: "kCFRunLoopDefaultMode", count: 2),
    ]
    let facts = facts {
      $0.result.callbacks = [CallbackCount(name: "didReceive", count: 9, first: 0, last: 1, places: places)]
    }
    #expect(try rule("{kind: own_threads, exactly: 0}").judge(facts) == Judgement("\(2)", false))
  }

  @Test func `what a program hands in may be the name of the next document`() throws {
    let shown = { (facts: RunFacts) in
      ShownValue(kind: .result, text: facts.newName, instant: 0, thread: .init(id: 1, name: "", main: true))
    }
    var facts = facts { _ in }
    facts.run.recording.shown = [shown(facts)]
    #expect(try rule("{kind: result, equals: \"{newName}\"}").judge(facts).holds)
    #expect(try !rule("{kind: result, equals: \"{name}\"}").judge(facts).holds)
  }
}
