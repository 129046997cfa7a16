// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@testable import LessonKit

@Suite struct BoundedNumbersTests {
  @Test(arguments: [
    (
      #"{"a":-9223372036854775808,"b":[1e18,0.25,-7,1E400,12]}"#,
      #"{"a":-1000000000000,"b":[1000000000000,0.25,-7,1000000000000,12]}"#
    ),
    (
      #"["9223372036854775807 \" 9e99",true,false,null,9e99]"#,
      #"["9223372036854775807 \" 9e99",true,false,null,1000000000000]"#
    ),
    ("9223372036854775807", "1000000000000"), ("-", "-"), ("\"open 99999999999999", "\"open 99999999999999"), ("", ""),
  ])
  func `numbers beyond a million millions become that one, and strings stay`(_ line: String, _ wanted: String) {
    #expect(String(decoding: BoundedNumbers.line(line), as: UTF8.self) == wanted)
  }

  @Test func `a result can be made of the least and the greatest integers`() throws {
    var recording = Recording()
    let place = PlaceCount(thread: .init(id: 1, name: "", main: true), count: .max)
    recording.callbacks = [CallbackCount(name: "a", count: .max, first: 0, last: 0, places: [place, place])]
    let measurement = Measurement(
      hasEnded: true, wall: 1, usage: ProcessUsage(cpu: 0, wakeups: .max),
      instruments: ProcessUsage(cpu: 0, wakeups: .min), peak: .max, curve: [], peakThreads: .min, threadsAfter: .min,
      libraryThreads: 0, longestGap: 0, gaps: [], recording: recording)
    let preparation = Preparation(
      baseline: .min, threads: .max, usage: ProcessUsage(cpu: 0, wakeups: .min), started: -1e300)
    var report = ChildReport(end: .exited(0))
    for message in [ChildMessage.prepared(preparation), .measured(measurement)] {
      let line = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
      switch try JSONDecoder().decode(ChildMessage.self, from: BoundedNumbers.line(line)) {
      case .prepared(let told): report.preparation = told
      case .measured(let told): report.measurement = told
      case .refused(let why): report.refusal = why
      }
    }
    let example = OwnProgram.lesson(named: "mine", side: .session, file: "mine.swift").examples[0]
    let maker = ResultMaker(example: example, expected: nil, bodyBytes: 1, seed: 1, limit: 1)
    let result = maker.make(from: report, ServerLog().take(), files: []).result
    #expect(result.threads.after - result.threads.before == -2_000_000_000_000)
    #expect(result.callbacks.flatMap(\.places).reduce(0) { $0 + $1.count } == 2_000_000_000_000)
    #expect(result.time.wakeups == 3_000_000_000_000)
  }
}
