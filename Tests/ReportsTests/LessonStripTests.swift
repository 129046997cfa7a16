// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Reports

/// The two drawings with which a lesson's page begins.
@Suite struct LessonStripTests {
  private static func lesson(_ run: String) throws -> LessonResult { try Golden.report(run).lessons[0] }

  private static func page(_ run: String, _ change: (inout RunReport) -> Void = { _ in }) throws -> String {
    var report = try Golden.report(run)
    change(&report)
    return try HTMLReport(report, Golden.setting(.english)).text()
  }

  @Test(arguments: [
    ("lesson-05", "connection/delegate-main", "connection/worker"),
    ("lesson-09", "connection/default-mode", "connection/common-modes"),
    ("lesson-22", "connection/range-changed", "connection/checked-changed"),
  ]) func `the pair is the subject's`(_ run: String, _ bad: String, _ good: String) throws {
    let lesson = try Self.lesson(run)
    let material = try Golden.setting(.english).material(run)
    let pair = try #require(LessonStrip.pair(of: lesson, material))
    #expect(pair.bad.id == bad && pair.good.id == good)
  }

  @Test func `two right programs bear no signs`() throws {
    let page = try Self.page("lesson-05")
    #expect(page.contains("<p class=\"which\"><a"))
    #expect(!page.contains("class=\"which wrong\"") && !page.contains("class=\"which right\""))
    #expect(try Self.page("lesson-09").contains("class=\"which wrong\""))
  }

  @Test func `without a subject the pair is what the text marks as wrong and right`() throws {
    var lesson = try Self.lesson("lesson-22")
    lesson.subject = nil
    let pair = try #require(LessonStrip.pair(of: lesson, try Golden.setting(.english).material("lesson-22")))
    #expect(pair.bad.id == "connection/range" && pair.good.id == "connection/checked")
  }

  @Test func `without a text the pair is the first of counterparts, and of one example there is none`() throws {
    var lesson = try Self.lesson("lesson-05")
    lesson.subject = nil
    let pair = try #require(LessonStrip.pair(of: lesson, nil))
    #expect(pair.bad.id == lesson.pairs[0].connection && pair.good.id == lesson.pairs[0].session)
    lesson.examples.removeLast(lesson.examples.count - 1)
    #expect(LessonStrip.pair(of: lesson, try Golden.setting(.english).material("lesson-05")) == nil)
    let page = try Self.page("lesson-05") { $0.lessons[0] = lesson }
    #expect(!page.contains("<section class=\"strip\""))
  }

  @Test(arguments: Golden.runs) func `a lesson begins with its strip, and results come before texts`(
    _ run: String
  ) throws {
    let page = try Self.page(run)
    let order = [
      "<section class=\"strip\"", "<table class=\"head\"", "<figure class=\"compare\"", "class=\"claim ",
      "class=\"text\"",
    ]
    let places = try order.map { try #require(page.range(of: $0), "\($0)").lowerBound }
    #expect(places == places.sorted())
  }

  @Test(arguments: Golden.runs) func `both drawings have one axis and fit 768 rows, half as large again, too`(
    _ run: String
  ) throws {
    let page = try Self.page(run)
    let drawings = page.matches(
      of: /<svg class="drawing brief" role="img" tabindex="0" width="100%" height="([0-9]+)" data-duration="([0-9.]+)"/)
    #expect(drawings.count == 2 && Set(drawings.map(\.output.2)).count == 1)
    let heights = drawings.compactMap { Double($0.output.1) }
    // Above each stand one or two lines of words, below it one.
    let sum = heights.reduce(0, +)
    #expect(sum * 1.5 <= 520, "\(heights)")
  }

  @Test func `each drawing leads to its example's whole figure, whose data it reads`() throws {
    let page = try Self.page("lesson-09")
    let figures = page.matches(of: /data-of="([^"]+)"/).map { String($0.output.1) }
    #expect(figures == ["lesson-09-connection-default-mode-0-0", "lesson-09-connection-common-modes-2-0"])
    for figure in figures { #expect(page.contains("id=\"\(figure)\"") && page.contains("href=\"#\(figure)\"")) }
  }

  @Test func `a spoilt product stands out in the strip, the table and the figure`() throws {
    let page = try Self.page("lesson-22")
    #expect(page.contains("<td class=\"spoilt\">other bytes</td>"))
    #expect(page.contains("<dd class=\"spoilt\">✗ file “download”: 16.0\u{A0}MiB, other bytes</dd>"))
    #expect(!page.contains("<dd class=\"spoilt\">✗ file “download”: 16.0\u{A0}MiB, byte for byte"))
  }

  @Test func `refuted and qualified claims have their own sign and their own class`() throws {
    let page = try Self.page("lesson-09")
    #expect(page.contains("<span class=\"verdict qualified\">≈ "))
    let refuted = try Self.page("lesson-09") { $0.lessons[0].claims[0].verdict = .refuted }
    #expect(refuted.contains("<span class=\"verdict refuted\">✗ "))
  }
}
