// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

/// Lesson 5's claims must be able to come out otherwise: each is settled here from results that contradict it.
@Suite struct DelegateProgressClaimsTests {
  private static let size = 1000
  private static let receive = "connection(_:didReceive:)"
  private static let main = PlaceCount.ThreadID(id: 1, name: "", main: true)
  private static let other = PlaceCount.ThreadID(id: 4, name: "", main: false)

  private func settle(_ id: String, _ runs: [ExampleRun]) throws -> Settlement {
    let claim = try #require(Course.catalog.lesson(named: "5").claims.first { $0.id == id })
    return try claim.settle(RunResults(bodyBytes: Self.size, runs: runs))
  }

  private func run(
    _ id: String, on thread: PlaceCount.ThreadID, created: PlaceCount.ThreadID? = nil, pieces: Int = 4,
    bytes: Int = size, finishLast: Bool = true
  ) throws -> ExampleRun {
    let json = """
      {"subject": 1, "origin": {"id": \((created ?? thread).id), "name": "", "main": \((created ?? thread).main)},
       "responses": [{"status": 200, "expectedLength": \(Self.size)}], "pieces": \(pieces), "files": 0,
       "bytes": \(bytes), "checksum": "", "began": 0, "ends": 1, "stages": []}
      """
    var recording = Recording()
    recording.loads = [try JSONDecoder().decode(LoadRecord.self, from: Data(json.utf8))]
    recording.callbacks = [
      callback(Self.receive, "response", 1, thread), callback(Self.receive, "data", pieces, thread),
      callback("connectionDidFinishLoading(_:)", "", 1, thread),
    ]
    recording.order = (finishLast ? [0, 1, 2] : [0, 2, 1]).map { Recording.Stretch(subject: 1, callback: $0, count: 1) }
    let line = """
      {"text": "100 %", "instant": 0.1, "thread": {"id": 1, "name": "", "main": true},
       "resident": 0}
      """
    recording.lines = [try JSONDecoder().decode(PrintedLine.self, from: Data(line.utf8))]
    let outcome = Outcome(kind: .finished, bytes: bytes)
    return ExampleRun(result: ExampleResult(id: id, side: .connection, outcome: outcome), recording: recording)
  }

  private func callback(_ name: String, _ detail: String, _ count: Int, _ thread: PlaceCount.ThreadID) -> CallbackCount
  {
    let place = PlaceCount(thread: thread, count: count)
    return CallbackCount(name: name, detail: detail, count: count, first: 0, last: 0, places: [place])
  }

  @Test func `one piece is no progress, and neither is a sum that differs from the length`() throws {
    let id = "connection/delegate-main"
    #expect(try settle("N1-11", [run(id, on: Self.main)]).verdict == .confirmed)
    #expect(try settle("N1-11", [run(id, on: Self.main, pieces: 1)]).verdict == .refuted)
    #expect(try settle("N1-11", [run(id, on: Self.main, bytes: 999)]).verdict == .refuted)
  }

  @Test func `a message after the finish refutes that it is the last`() throws {
    let ids = ["connection/delegate-main", "connection/delegate-queue", "connection/no-length", "connection/worker"]
    #expect(try settle("N1-12", ids.map { try run($0, on: Self.main) }).verdict == .confirmed)
    let late = try ids.map { try run($0, on: Self.main, finishLast: $0 != "connection/worker") }
    #expect(try settle("N1-12", late).verdict == .refuted)
  }

  @Test func `callbacks off the creating thread refute that they come there`() throws {
    let main = try run("connection/delegate-main", on: Self.main)
    #expect(try settle("N1-14", [main, run("connection/worker", on: Self.other)]).verdict == .confirmed)
    let moved = try run("connection/worker", on: Self.main, created: Self.other)
    #expect(try settle("N1-14", [main, moved]).verdict == .refuted)
  }

  @Test func `callbacks on main confirm what is expected to be refuted`() throws {
    #expect(try settle("N2-12", [run("connection/worker", on: Self.other)]).verdict == .refuted)
    #expect(try settle("N2-12", [run("connection/worker", on: Self.main)]).verdict == .confirmed)
  }

  @Test func `equal counts refute that they depend on the network`() throws {
    let fast = try run("connection/delegate-main", on: Self.main, pieces: 40)
    #expect(try settle("N2-11", [fast, run("connection/throttled", on: Self.main, pieces: 200)]).verdict == .confirmed)
    #expect(try settle("N2-11", [fast, run("connection/throttled", on: Self.main, pieces: 41)]).verdict == .refuted)
  }

  @Test func `overlapping callbacks refute that a queue is served one at a time`() throws {
    var runs = try ["connection/delegate-queue", "connection/queue-after-start"].map {
      try run($0, on: Self.other, created: Self.main)
    }
    #expect(try settle("N1-15", runs).verdict == .confirmed)
    runs[0].recording.overlaps = 1
    #expect(try settle("N1-15", runs).verdict == .refuted)
  }

  @Test func `an example that ran into the time limit settles nothing`() throws {
    var cut = try run("connection/worker", on: Self.main)
    cut.result.outcome = Outcome(kind: .timedOut, why: "the end of a load did not come")
    #expect(throws: LessonKitError.self) { try settle("N2-12", [cut]) }
  }

  @Test func `a crashed example leaves its claims unsettled`() throws {
    var crashed = try run("connection/worker", on: Self.other)
    crashed.result.outcome = Outcome(kind: .crashed, why: "SIGILL")
    #expect(throws: LessonKitError.self) { try settle("N2-12", [crashed]) }
  }
}
