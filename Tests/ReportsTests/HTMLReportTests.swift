// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Reports

/// Pages of stored runs, with the texts and programs of the course.
@Suite struct HTMLReportTests {
  private static func page(_ run: String, _ language: Language = .english) throws -> String {
    let page = try HTMLReport(Golden.report(run), Golden.setting(language)).text()
    if let folder = ProcessInfo.processInfo.environment["WORKBENCH_PAGES"] {
      let file = URL(fileURLWithPath: folder).appendingPathComponent("\(run)-\(language.rawValue).html")
      try Data(page.utf8).write(to: file)
    }
    return page
  }

  @Test(arguments: Golden.runs, Language.allCases)
  func `a page is small, whole and asks nobody for anything`(_ run: String, _ language: Language) throws {
    let page = try Self.page(run, language)
    #expect(page.utf8.count < 300_000)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.contains("lang=\"\(language.rawValue)\""))
    #expect(!page.contains(/<(link|img|iframe|object|embed)\b/))
    #expect(!page.contains(/\b(src|style|on[a-z]+)=/))
    #expect(!page.contains("url(http") && !page.contains("@import"))
    #expect(page.contains("default-src 'none'"))
    #expect(!page.contains("{{") && !page.contains("Optional("))
  }

  @Test(arguments: Golden.runs) func `a page in Chinese has its words in Chinese`(_ run: String) throws {
    let page = try Self.page(run, .simplifiedChinese)
    for english in [
      "What was measured", "main silent", "memory peak", "library: transfers", "To the content", ">before: ",
      ">at most: ", ">expected: ",
      "does not answer", " more threads", "Drawing of",
    ] {
      #expect(!page.contains(english), "\(english)")
    }
  }

  @Test(arguments: Golden.runs) func `ids are unique and links within the page lead somewhere`(_ run: String) throws {
    let page = try Self.page(run)
    let ids = page.matches(of: /\bid="([^"]+)"/).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count)
    let targets = page.matches(of: /href="#([^"]+)"/).map { String($0.output.1) }
    #expect(Set(targets).subtracting(ids) == [])
  }

  @Test(arguments: Golden.runs) func `headings leave out no level`(_ run: String) throws {
    let levels = try Self.page(run).matches(of: /<h([1-6])/).compactMap { Int($0.output.1) }
    #expect(levels.first == 1 && levels.count { $0 == 1 } == 1)
    for (level, next) in zip(levels, levels.dropFirst()) { #expect(next <= level + 1) }
  }

  @Test func `every drawing has a text alternative and a place among the tab stops`() throws {
    let page = try Self.page("lesson-09")
    let drawings = page.matches(of: /<svg class="drawing"([^>]*)>/).map(\.output.1)
    #expect(drawings.count == 18)
    for drawing in drawings {
      #expect(drawing.contains("role=\"img\"") && drawing.contains("tabindex=\"0\""))
      #expect(drawing.contains("aria-label=\"Drawing of connection/") || drawing.contains("Drawing of session/"))
    }
  }

  @Test func `callbacks that were not observed are none of zero`() throws {
    var report = try Golden.report("lesson-09")
    let index = try #require(report.lessons[0].examples.firstIndex { $0.happenings.touch != nil })
    report.lessons[0].examples[index].callbacks = []
    report.lessons[0].examples[index].seesCallbacks = false
    let id = report.lessons[0].examples[index].id
    let page = try HTMLReport(report, Golden.setting(.english)).text()
    #expect(page.contains("Drawing of \(id): callbacks not observed, "))
    #expect(!page.contains("Drawing of \(id): 0 callbacks") && !page.contains("of all 0"))
    #expect(try TraceReport(report).text().contains("\(id) (callbacks not observed)"))
  }

  @Test func `every page has a word of its own for its security policy`() throws {
    let first = try #require(try Self.page("lesson-05").firstMatch(of: /nonce="([^"]+)"/)).output.1
    let second = try #require(try Self.page("lesson-05").firstMatch(of: /nonce="([^"]+)"/)).output.1
    #expect(first != second && first.count >= 20)
  }

  @Test func `HTML in a text, a title or printed lines is escaped`() throws {
    var report = try Golden.report("lesson-05")
    report.lessons[0].examples[0].title = "<script>title()</script>"
    report.lessons[0].examples[0].printed = [ProgramLine(text: "</script><script>printed()</script>")]
    report.lessons[0].examples[0].requests[0].target = "/<script>target()</script>"
    var setting = try Golden.setting(.english)
    setting.material = { _ in
      LessonMaterial(
        markdown: "# A\n\n<script>block()</script>\n\nb <b onclick=\"inline()\">c</b>\n\n![x](http://a/b.png)\n")
    }
    let page = try HTMLReport(report, setting).text()
    for call in ["title", "printed", "target", "block"] { #expect(!page.contains("<script>\(call)()")) }
    #expect(page.contains("&lt;script&gt;block()"))
    #expect(page.contains("&lt;b onclick=&quot;inline()&quot;&gt;"))
    #expect(!page.contains("b.png"))
  }

  @Test func `a line of Chinese goes on without a space, other lines with one`() throws {
    let html = ReadingPage.html(ofMarkdown: "下载任务把\n文件写好，\n**再** 说 URL\n和 `a`\n以及\nplain\ntext\n")
    #expect(html.contains("下载任务把文件写好，<strong>再</strong> 说 URL\n和 <code>a</code>\n以及\nplain\ntext"))
  }

  @Test func `a run of several lessons begins with a row for each`() throws {
    var report = try Golden.report("lesson-05")
    report.lessons += try Golden.report("lesson-09").lessons + Golden.report("lesson-22").lessons
    let page = try HTMLReport(report, Golden.setting(.english)).text()
    let summary = try #require(page.firstMatch(of: /<h2>All lessons<\/h2>[\s\S]*?<\/table>/)).output
    for id in Golden.runs { #expect(summary.contains("href=\"#\(id)\"")) }
    // Its rows wrap, so that the claims are in sight without scrolling sideways.
    #expect(summary.contains("<table class=\"lessons\">"))
    // All lessons open in a second because a browser draws those in sight.
    #expect(page.contains(".lesson~.lesson{content-visibility:auto;"))
    #expect(
      summary.contains(
        "<td>callbacks during the touch</td><td>✗\u{A0}default-mode:\u{A0}0</td><td>✓\u{A0}common-modes:\u{A0}"))
  }

  @Test func `refuted claims come first, and those not as expected before them`() throws {
    var report = try Golden.report("lesson-05")
    let last = report.lessons[0].claims.count - 1
    report.lessons[0].claims[last].verdict = .unsettled
    let page = try HTMLReport(report, Golden.setting(.english)).text()
    let styles = page.matches(of: /<article class="claim ([a-zA-Z]+)"/).map { String($0.output.1) }
    #expect(styles.first == "unexpected")
    let claims = styles.prefix(report.lessons[0].claims.count).dropFirst()
    let ranks = claims.map {
      ["refuted": 1, "defectShown": 2, "qualified": 3, "confirmed": 4, "unsettled": 5][$0] ?? 0
    }
    #expect(ranks == ranks.sorted())
  }

  @Test func `a partial run says so`() throws {
    var report = try Golden.report("lesson-05")
    report.partial = true
    #expect(try HTMLReport(report, Golden.setting(.english)).text().contains("The run was interrupted"))
  }

  @Test func `only the cells that tell what is wrong are red, none beside them`() throws {
    let report = try Golden.report("lesson-22")
    let page = try HTMLReport(report, Golden.setting(.english)).text()
    let spoilt = report.lessons[0].examples.first { $0.id == "connection/range-changed" }
    let name = try #require(spoilt).id
    let row = try #require(page.components(separatedBy: "<tr ").first { $0.contains(">\(name)</a></th>") })
    let red = row.matches(of: /<td class="spoilt">([^<]*)<\/td>/).map { String($0.output.1) }
    #expect(red == ["other bytes", "file spoilt"])
    #expect(!row.hasPrefix("class=\"connection spoilt"))
    let right = try #require(page.components(separatedBy: "<tr ").first { $0.contains(">connection/checked</a></th>") })
    #expect(!right.contains("spoilt"))
  }
}
