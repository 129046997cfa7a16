// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit

@Suite struct ProgramLineTests {
  private static func noted(_ text: String, _ instant: Double) -> PrintedLine {
    PrintedLine(
      text: text, instant: instant, thread: PlaceCount.ThreadID(id: 3, name: "", main: false), runLoopMode: nil,
      resident: 0)
  }

  @Test func `lines of two threads keep their times, in whichever order they were noted`() {
    let lines = ProgramLine.all(
      ["a ends", "b begins", "of a library", "c ends"],
      noted: [Self.noted("b begins", 0.2), Self.noted("a ends", 0.1), Self.noted("c ends", 0.3)])
    #expect(lines.map(\.instant) == [0.1, 0.2, nil, 0.3])
  }

  @Test func `of equal lines each has the time of its own`() {
    let lines = ProgramLine.all(["again", "again"], noted: [Self.noted("again", 1), Self.noted("again", 2)])
    #expect(lines.map(\.instant) == [1, 2])
  }
}
