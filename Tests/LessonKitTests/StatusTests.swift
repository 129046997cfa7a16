// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@testable import LessonKit

/// A handler records no response: its status is what the server answered.
@Suite struct StatusTests {
  /// The outcome of a program that recorded no response, after requests with these statuses.
  private func outcome(_ statuses: [Int?], end: ChildReport.End = .exited(0)) throws -> Outcome {
    let requests = statuses.enumerated().map { number, status in
      """
      { "id": \(number + 1), "socket": 1, "version": "HTTP/1.1", "method": "GET", "target": "/a", "fields": [], "answerLines": [],
        "bodyBytes": 0, "bodyChecksum": 0, "status": \(status.map { "\($0)" } ?? "null"), "bytesSent": 9, "began": 1 }
      """
    }
    let log =
      #"{ "sockets": [], "requests": [\#(requests.joined(separator: ","))], "requestsNotKept": 0, "sent": { "marks": [], "step": 1 } }"#
    let example = OwnProgram.lesson(named: "mine", side: .session, file: "mine.swift").examples[0]
    let maker = ResultMaker(example: example, expected: nil, bodyBytes: 1, seed: 1, limit: 1)
    var report = ChildReport(end: end)
    report.measurement = Measurement(
      hasEnded: true, wall: 1, usage: ProcessUsage(), instruments: ProcessUsage(), peak: 0, curve: [], peakThreads: 1,
      threadsAfter: 1, libraryThreads: 0, longestGap: 0, gaps: [], recording: Recording())
    let snapshot = try JSONDecoder().decode(ServerLogSnapshot.self, from: Data(log.utf8))
    return maker.make(from: report, snapshot, files: []).result.outcome
  }

  @Test func `a job that finished has the status of the server's last answer`() throws {
    #expect(try outcome([401, 200]).status == 200)
    #expect(try outcome([404, nil]).status == 404)
    #expect(try outcome([]).status == 0)
  }

  @Test func `a 304 is no status that a program gets`() throws {
    #expect(try outcome([200, 304]).status == 200)
    #expect(try outcome([304]).status == 0)
  }

  @Test func `a job that failed before it was given a byte has none`() throws {
    #expect(try outcome([200], end: .signaled(4)).status == 0)
  }
}
