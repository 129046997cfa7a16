// SPDX-License-Identifier: Apache-2.0
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

  @Test func `code keeps its lines`() {
    #expect(LessonPage(markdown: "```swift\nlet  a = 1\n```\n").text(style: style) == "    let  a = 1\n")
  }

  @Test func `programs stand beside each other only on a very wide terminal`() {
    let page = SourcePage([
      .init(id: "connection/a", file: "A.swift", source: "left()\n", isConnection: true),
      .init(id: "session/b", file: "B.swift", source: "right()\n", isConnection: false),
    ])
    let lines = page.text(style: TextStyle(width: 160, isColored: false)).split(separator: "\n")
    #expect(lines.contains { $0.contains("left()") && $0.contains("right()") })
    #expect(
      !page.text(style: style).split(separator: "\n").contains { $0.contains("left()") && $0.contains("right()") })
  }
}
