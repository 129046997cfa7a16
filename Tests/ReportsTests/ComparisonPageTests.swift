// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Reports
import Testing

/// Two runs compared on a page.
@Suite struct ComparisonPageTests {
  @Test(arguments: Language.allCases) func `what changed is drawn before and after, and the rest is not`(
    _ language: Language
  ) throws {
    let before = try Golden.report("lesson-05")
    var after = before
    after.lessons[0].examples[0].memory.growth = 50 << 20
    after.lessons[0].examples[0].memory.peak += 50 << 20
    after.lessons[0].examples[1].outcome.kind = .failed
    let page = try ComparisonPage(before, after, Golden.setting(language)).text()
    #expect(page.matches(of: /<svg class="drawing"/).count == 4)
    #expect(page.contains("href=\"#lesson-05-connection-delegate-main-0-0\""))
    #expect(page.contains("id=\"lesson-05-connection-delegate-main-0-0\""))
    #expect(page.contains("50.0\u{A0}MiB"))
    #expect(!page.contains(/\b(src|style|on[a-z]+)=/))
    if language == .simplifiedChinese { #expect(!page.contains("Two runs compared")) }
  }

  @Test func `two runs of a kind have no drawings and say so`() throws {
    let report = try Golden.report("lesson-05")
    let page = try ComparisonPage(report, report, Golden.setting(.english)).text()
    #expect(!page.contains("<svg class=\"drawing\""))
    #expect(page.contains("No difference beyond noise.</p>") && !page.contains("<p class=\"remark\">"))
  }
}
