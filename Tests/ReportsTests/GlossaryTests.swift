// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Lessons
import Testing

@testable import Reports

@Suite struct GlossaryTests {
  private static func glossary(_ language: Language) throws -> Glossary {
    Glossary(try LessonText().text(named: "glossary", in: language))
  }

  @Test(arguments: Language.allCases) func `every word has a place of its own and a first paragraph`(
    _ language: Language
  ) throws {
    let glossary = try Self.glossary(language)
    #expect(glossary.entries.count > 30)
    #expect(Set(glossary.entries.map(\.anchor)).count == glossary.entries.count)
    for entry in glossary.entries {
      #expect(entry.hint.count > 5, "\(entry.word)")
      #expect(!entry.hint.contains("](") && !entry.hint.contains("`") && !entry.hint.contains("\n"), "\(entry.word)")
    }
  }

  @Test(arguments: Language.allCases) func `every link of a lesson to the glossary finds its word`(
    _ language: Language
  ) throws {
    let glossary = try Self.glossary(language)
    var links = 0
    for lesson in Course.catalog.lessons {
      let text = try LessonText().text(of: lesson, in: language).replacing("\n", with: " ")
      for link in text.matches(of: /\]\((\.\.\/glossary[^)]+)\)/) {
        links += 1
        #expect(glossary.entry(linked: String(link.output.1)) != nil, "\(lesson.id): \(link.output.1)")
      }
    }
    #expect(links > 20)
    #expect(glossary.entry(linked: "../lesson-05/lesson.md#x") == nil)
  }

  @Test func `a tooltip is one line without marks, in Chinese without spaces between lines`() {
    let glossary = Glossary("# T\n\nIntro.\n\n## run loop 运行循环\n\n线程的[循环](#a)，\n它 `run`。\n\n第二段。\n")
    #expect(glossary.introduction.contains("Intro."))
    #expect(glossary.entries.map(\.anchor) == ["run-loop"])
    #expect(glossary.entries[0].hint == "线程的循环，它 run。")
  }

  @Test func `a link with a hint has it as its title`() {
    let html = ReadingPage.html(
      ofMarkdown: "a [loop](../glossary.md#run-loop)", hint: { _ in "says \"x\"" }, link: { _ in "/g" })
    #expect(html.contains("<a href=\"/g\" title=\"says &quot;x&quot;\">loop</a>"))
  }
}
