// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@testable import Reports

/// What a lesson is about, with its figures.
@Suite struct SubjectWordsTests {
  private static func example(_ id: String, requests: Int) -> ExampleResult {
    ExampleResult(
      id: id, side: .connection, outcome: Outcome(kind: .finished), traffic: Traffic(requests: requests))
  }

  private static func lesson(_ subject: Subject?, _ examples: [ExampleResult]) -> LessonResult {
    var lesson = LessonResult(id: "lesson-05", title: "", examples: examples, claims: [])
    lesson.subject = subject
    return lesson
  }

  @Test func `the wrong form stands beside the right one, each with its figure`() {
    let subject = Subject.of("requests", .requests, wrong: "connection/a", right: "session/b")
    let lesson = Self.lesson(
      subject, [Self.example("session/b", requests: 2), Self.example("connection/a", requests: 7)])
    #expect(SubjectWords(lesson)?.phrase.description == "requests: ✗\u{A0}a:\u{A0}7 · ✓\u{A0}b:\u{A0}2")
  }

  @Test func `two right programs have no signs, and two of one name their columns`() {
    let subject = Subject.of("requests", .requests, "connection/a", beside: "session/a")
    let lesson = Self.lesson(
      subject, [Self.example("connection/a", requests: 1), Self.example("session/a", requests: 2)])
    #expect(SubjectWords(lesson)?.phrase.description == "requests: connection/a:\u{A0}1 · session/a:\u{A0}2")
  }

  @Test func `an example that did not run is left out, and of several runs the one of the median time counts`() {
    let subject = Subject.of("requests", .requests, wrong: "connection/a", right: "session/b")
    let thrice = [(0.1, 3), (0.3, 9), (0.2, 4)].map { time, requests in
      var example = Self.example("session/b", requests: requests)
      example.time.wall = time
      return example
    }
    #expect(SubjectWords(Self.lesson(subject, thrice))?.phrase.description == "requests: ✓\u{A0}b:\u{A0}4")
    #expect(SubjectWords(Self.lesson(subject, [])) == nil)
    #expect(SubjectWords(Self.lesson(nil, thrice)) == nil)
  }

  @Test func `callbacks that were not observed are none of zero`() {
    var example = Self.example("connection/a", requests: 1)
    example.memory.peak = 1
    example.seesCallbacks = false
    for metric in [Metric.callbacks, .callbackCount, .touchCallbacks] {
      #expect(metric.words(example) == "not observed")
    }
  }

  @Test func `what is left at the end is the last sample before it, or before the last line`() {
    var example = Self.example("connection/a", requests: 1)
    example.time.wall = 0.5
    example.memory = MemoryUse(
      baseline: 1 << 20, peak: 9 << 20, growth: 8 << 20,
      curve: [CurvePoint(instant: 0.1, bytes: 9 << 20), CurvePoint(instant: 0.4, bytes: 3 << 20)]
        + [CurvePoint(instant: 0.6, bytes: 1 << 20)])
    #expect(Metric.left.words(example).description == "+2.0\u{A0}MiB")
    example.printed = [ProgramLine(text: "written", instant: 0.2), ProgramLine(text: "of a library")]
    #expect(Metric.left.words(example).description == "+8.0\u{A0}MiB")
  }

  @Test func `a file that is right after a job that did not finish is no whole body`() {
    var example = Self.example("connection/a", requests: 1)
    example.product = ProductResult(kind: .file, name: "a", bytes: 15, expectedBytes: 15, comparison: .equal)
    example.outcome = Outcome(kind: .failed)
    #expect(Metric.product.words(example) == "as expected")
  }

  @Test func `a field of the requests says each of its values, and how often`() throws {
    var example = Self.example("session/a", requests: 3)
    #expect(Metric.program.words(example).description == "-")
    var request = try #require(Golden.report("lesson-09").lessons[0].examples[0].requests.first)
    request.fields["x-program"] = "old"
    example.requests = [request, request, request]
    #expect(Metric.program.words(example).description == "3× old")
    example.requests[2].fields["x-program"] = "new"
    example.requests[1].fields["x-program"] = nil
    #expect(Metric.program.words(example).description == "1× old, 1× –, 1× new")
  }

  @Test func `a product says by how much it is not what was expected`() {
    var example = Self.example("connection/a", requests: 1)
    let cases: [(ProductResult.Comparison, Int, String)] = [
      (.equal, 4096, "whole"), (.missing, 0, "no file"), (.different, 4096, "other bytes"),
      (.different, 6144, "2\u{A0}KiB too much"), (.different, 1024, "3\u{A0}KiB too little"),
    ]
    for (comparison, bytes, words) in cases {
      example.product = ProductResult(
        kind: .file, name: "a", bytes: bytes, expectedBytes: 4096, comparison: comparison)
      #expect(Metric.product.words(example).description == words)
    }
  }

  @Test func `on a narrow terminal the subject stays, and what the lesson does not show goes first`() {
    let subject = Subject.of("file", .product, wrong: "connection/a", right: "session/b")
    let all: [Metric] = [.end, .time, .peak, .callbacks, .requests]
    #expect(Metric.columns(about: subject, all, in: 200) == [.product] + all)
    #expect(
      Metric.columns(about: subject, all, showing: [.requests], in: 62) == [.product, .end, .time, .requests])
    #expect(Metric.columns(about: subject, all, in: 10) == [.product])
    #expect(Metric.columns(about: nil, all, in: 200) == all)
  }
}
