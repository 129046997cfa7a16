// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@testable import Reports

@Suite struct PageTests {
  private let style = TextStyle(width: 40, isColored: false)

  @Test func `paragraphs join their lines and wrap, lists keep their items`() {
    let markdown = "# Title\n\nA paragraph that goes on\nfor more than one line.\n\n- first\n- second item\n"
    let text = LessonPage(markdown: markdown).text(style: style)
    #expect(text == "Title\n\nA paragraph that goes on for more than\none line.\n\n- first\n- second item\n")
  }

  @Test func `a line break between ideographs is no space`() {
    #expect(LessonPage(markdown: "下载\n进度\n").text(style: style) == "下载进度\n")
  }

  @Test func `a link is its text, also one that goes over the end of a line`() {
    let text = LessonPage(markdown: "the [run\nloop](../glossary.md#run-loop) waits\n- [a](b) c\n").text(style: style)
    #expect(text == "the run loop waits\n- a c\n")
  }

  @Test func `code keeps its lines`() {
    #expect(LessonPage(markdown: "```swift\nlet  a = 1\n```\n").text(style: style) == "    let  a = 1\n")
  }

  @Test func `code that a text refers to stands there, the line that matters marked`() throws {
    let source = "func f() {\n  // begin wrong\n  let a = 1\n  use(a)  // ←\n  // end wrong\n}\n"
    let page = LessonPage(markdown: "<!-- code: wrong A.swift#wrong | right B.swift#wrong -->\n") { reference in
      CodeExcerpt(of: source, named: reference.name)
    }
    let text = page.text(style: TextStyle(width: 80, isColored: false))
    #expect(
      text == """
        ✗ wrong  A.swift │ ✓ right  B.swift
          let a = 1      │   let a = 1
        ▶ use(a)         │ ▶ use(a)

        """)
    #expect(page.text(style: TextStyle(width: 40, isColored: false)).contains("│") == true)
  }

  @Test func `a link is its text`() {
    #expect(LessonPage(markdown: "a [run loop](../glossary.md#run-loop) b\n").text(style: style) == "a run loop b\n")
  }

  @Test func `a source shows no marks and keeps its arrow`() {
    let source = "// SPDX\n// begin x\nlet a = 1  // ←\n// end x\n"
    let page = SourcePage([.init(name: "A.swift", source: source, examples: ["session/a"], isConnection: false)])
    #expect(page.text(style: style) == "A.swift\n  session/a\n▶ let a = 1\n\n")
  }

  @Test func `programs stand beside each other only on a very wide terminal`() {
    let page = SourcePage([
      .init(name: "A.swift", source: "left()\n", examples: ["connection/a"], isConnection: true),
      .init(name: "B.swift", source: "right()\n", examples: ["session/b"], isConnection: false),
    ])
    let lines = page.text(style: TextStyle(width: 160, isColored: false)).split(separator: "\n")
    #expect(lines.contains { $0.contains("left()") && $0.contains("right()") })
    #expect(
      !page.text(style: style).split(separator: "\n").contains { $0.contains("left()") && $0.contains("right()") })
  }
}
