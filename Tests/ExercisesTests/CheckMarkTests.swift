// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Exercises
@testable import LessonKit

/// The mark that a check gives to a drawing of the run in which it does not hold.
@Suite struct CheckMarkTests {
  private func request(
    _ target: String, _ fields: String = "{}", status: Int = 200, socket: Int = 1, began: Double = 0
  ) throws -> RequestSeen {
    let text = """
      {"method": "GET", "target": "\(target)", "version": "HTTP/1.1", "fields": \(fields), "bodyBytes": 0,
      "bodyChecksum": "", "status": \(status), "bytesSent": 0, "socket": \(socket), "began": \(began), "ended": 1}
      """
    return try JSONDecoder().decode(RequestSeen.self, from: Data(text.utf8))
  }

  private func mark(_ map: String, _ requests: [RequestSeen] = []) throws -> FigureMark? {
    var run = ExampleRun(result: ExampleResult(id: "session/run-1", side: .session, outcome: Outcome(kind: .finished)))
    run.result.requests = requests
    let facts = RunFacts(run: run, caseID: "run", bodyBytes: 1 << 20, seed: 7)
    return (try CheckKinds.parsing(map) as? any DrawnCheck)?.mark(facts)
  }

  private func holds(_ mark: FigureMark?) -> [Bool?] {
    if case .requests(_, let verdicts, _) = mark { verdicts.map(\.holds) } else { [] }
  }

  @Test func `memory and callbacks say their bounds`() throws {
    #expect(try mark("{kind: growth, at_most: 8MiB}") == .memory(atMost: 8 << 20, atEnd: false))
    #expect(try mark("{kind: memory_left, at_most: 4MiB}") == .memory(atMost: 4 << 20, atEnd: true))
    #expect(try mark("{kind: callbacks_on_main, exactly: 0}") == .callbacks(.main, least: 0, most: 0))
    #expect(try mark("{kind: touched, at_least: 3}") == .shown(.progress, inTouch: true))
    #expect(try mark("{kind: label, equals: a}") == .shown(.label, inTouch: false))
    #expect(try mark("{kind: main_gap, at_most: 0.5}") == .silence(atMost: 0.5))
    #expect(try mark("{kind: file, name: download}") == nil)
  }

  @Test func `requests that are too many do not hold, and those that are missing are counted`() throws {
    let requests = [try request("/a"), try request("/b"), try request("/a")]
    let many = try mark("{kind: requests, exactly: 1, path: /a}", requests)
    #expect(holds(many) == [true, nil, false])
    let few = try mark("{kind: requests, at_least: 5, path: /a}", requests)
    guard case .requests(.status, _, missing: 3) = few else {
      Issue.record("\(String(describing: few))")
      return
    }
  }

  @Test func `a field is compared request by request, in the order of a sequence`() throws {
    let requests = [try request("/", #"{"x-course": "b"}"#, began: 0.5), try request("/", #"{"x-course": "a"}"#)]
    let each = try mark("{kind: header, name: X-Course, value: a}", requests)
    #expect(holds(each) == [false, true])
    let sequence = try mark("{kind: sequence, name: X-Course, values: [a, c, d]}", requests)
    guard case .requests(.field("x-course"), let verdicts, missing: 1) = sequence else {
      Issue.record("\(String(describing: sequence))")
      return
    }
    #expect(verdicts == [.init(holds: false, wanted: "c"), .init(holds: true, wanted: "a")])
  }

  @Test func `connections beyond those that are allowed do not hold`() throws {
    let requests = try [3, 5, 3, 9].map { try request("/", socket: $0) }
    #expect(holds(try mark("{kind: sockets, at_most: 2}", requests)) == [true, true, true, false])
  }

  @Test func `a run keeps the header fields alone that a check looks at`() throws {
    var result = ExampleResult(id: "session/a", side: .session, outcome: Outcome(kind: .finished))
    result.requests = [try request("/", #"{"x-course": "a", "cookie": "b"}"#)]
    #expect(result.drawable(keeping: ["x-course"]).requests[0].fields == ["x-course": "a"])
    #expect(result.drawable().requests[0].fields.isEmpty)
  }
}
