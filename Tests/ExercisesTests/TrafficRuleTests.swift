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

  private func rule(_ map: String) throws -> any CheckKind { try CheckKinds.parsing(map) }

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

  @Test func `where no file may be left, an empty one is one, and those of the libraries are none`() throws {
    let folder = try TestFolder()
    let rule = try rule("{kind: left, at_most: 0B}")
    var facts = facts { $0.files = FileSeen.all(in: folder.url.path, body: nil) }
    #expect(rule.judge(facts).holds)
    _ = try folder.write([UInt8](), to: "a")
    facts.run.files = FileSeen.all(in: folder.url.path, body: nil)
    #expect(!rule.judge(facts).holds)
    facts.run.files = facts.run.files.map { file in
      var file = file
      file.path = ".home/" + file.path
      return file
    }
    #expect(rule.judge(facts).holds)
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

  @Test func `the largest answer of a path has so many bytes, not fewer and not more`() throws {
    var small = try request("/body", 206)
    var large = try request("/body", 206)
    (small.bytesSent, large.bytesSent) = (10, 4 << 20)
    let facts = facts { $0.result.requests = [small, large] }
    #expect(try rule("{kind: largest, path: /body, at_most: 5MiB}").judge(facts).holds)
    #expect(try !rule("{kind: largest, path: /body, at_most: 3MiB}").judge(facts).holds)
    #expect(try !rule("{kind: largest, path: /body, at_least: 5MiB}").judge(facts).holds)
    #expect(try !rule("{kind: largest, path: /other, at_least: 1B}").judge(facts).holds)
  }

  @Test func `a request is over before another where it ends earlier, and one without an end never is`() throws {
    let rule = try rule("{kind: over, path: /never, before: /body}")
    let body = try request("/body", 200, began: 1, ended: 3)
    let facts = { (never: [RequestSeen]) in self.facts { $0.result.requests = never + [body] } }
    #expect(rule.judge(facts([try request("/never", 0, began: 0, ended: 2)])).holds)
    #expect(!rule.judge(facts([try request("/never", 0, began: 0, ended: 4)])).holds)
    #expect(!rule.judge(facts([try request("/never", 0, began: 0, ended: nil)])).holds)
    #expect(!rule.judge(facts([])).holds)
  }

  @Test func `the values of a field come in order, and each request waits for the answer before`() throws {
    let rule = try rule("{kind: sequence, name: Authorization, values: [none, a, b]}")
    let tried = { (fields: [String], pace: Double) in
      try self.facts {
        $0.result.requests = try fields.enumerated().map {
          let began = Double($0.offset) * pace
          return try self.request("/basic", 401, began: began, ended: began + 0.2, fields: $0.element)
        }
      }
    }
    let (no, first, second) = ("{}", #"{"authorization": "a"}"#, #"{"authorization": "b"}"#)
    #expect(rule.judge(try tried([no, first, second], 0.2)).holds)
    #expect(!rule.judge(try tried([no, first, second], 0.01)).holds)
    #expect(!rule.judge(try tried([no, second, first], 0.2)).holds)
    #expect(!rule.judge(try tried([no, first], 0.2)).holds)
  }

  @Test func `a secret is looked for in the address and in every field`() throws {
    let rule = try rule("{kind: unspoken, texts: [hush], path: /echo}")
    let said = { (path: String, fields: String) in
      try self.facts { $0.result.requests = [try self.request(path, 200, fields: fields)] }
    }
    #expect(rule.judge(try said("/echo", "{}")).holds)
    #expect(rule.judge(try said("/other", #"{"cookie": "hush"}"#)).holds)
    #expect(!rule.judge(try said("/echo", #"{"cookie": "login=hush"}"#)).holds)
  }

  @Test func `the time between two requests counts from the end of the former`() throws {
    let rule = try rule("{kind: apart, path: /body, at_least: 0.4}")
    let facts = { (second: Double) in
      try self.facts {
        $0.result.requests = try [
          self.request("/body", 200, began: 0, ended: 1), self.request("/body", 206, began: second, ended: 3),
        ]
      }
    }
    #expect(rule.judge(try facts(1.5)).holds)
    #expect(!rule.judge(try facts(1.1)).holds)
    #expect(!rule.judge(try self.facts { $0.result.requests = [try self.request("/body", 200)] }).holds)
  }

  @Test func `each request of the method has to carry the body`() throws {
    let rule = try rule("{kind: carried, method: POST}")
    let whole = 1 << 20
    let facts = { (sizes: [Int], method: String) in
      try self.facts { run in
        let checksum = RunFacts(run: run, caseID: "run", bodyBytes: whole, seed: 7).checksum()
        run.result.requests = try sizes.map { size in
          var request = try self.request("/body", 307)
          (request.method, request.bodyBytes, request.bodyChecksum) = (method, size, size == whole ? checksum : "0")
          return request
        }
      }
    }
    #expect(!rule.judge(try facts([], "POST")).holds)
    #expect(!rule.judge(try facts([whole], "PUT")).holds)
    #expect(!rule.judge(try facts([0, whole], "POST")).holds)
    #expect(rule.judge(try facts([whole, whole], "POST")).holds)
  }

  @Test func `all that is handed in counts, and the bar's steps while a request is under way`() throws {
    let thread = PlaceCount.ThreadID(id: 1, name: "", main: true)
    let shown = { (kind: ShownValue.Kind, text: String, instant: Double) in
      ShownValue(kind: kind, text: text, instant: instant, thread: thread)
    }
    let facts = try facts {
      $0.result.requests = [try request("/body", 200, began: 0, ended: 1)]
      $0.result.time.wall = 4
      $0.recording.shown = [
        shown(.result, "401", 0), shown(.result, "200", 1), shown(.progress, "0.5", 0.5), shown(.progress, "0.7", 2),
        shown(.progress, "1.0", 3),
      ]
    }
    #expect(try rule("{kind: results, equals: 401 200}").judge(facts).holds)
    #expect(try !rule("{kind: results, equals: \"200\"}").judge(facts).holds)
    #expect(try rule("{kind: progress, at_least: 1, during: /body}").judge(facts).holds)
    #expect(try !rule("{kind: progress, at_least: 2, during: /body}").judge(facts).holds)
  }
}
