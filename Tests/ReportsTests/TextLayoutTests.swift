// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Reports

@Suite struct TextLayoutTests {
  @Test func `ideographs are two columns wide, escape sequences none`() {
    #expect(TextLayout.width("ab") == 2)
    #expect(TextLayout.width("笔记") == 4)
    #expect(TextLayout.width("\u{1B}[1mab\u{1B}[0m") == 2)
  }

  @Test func `text wraps at spaces, further lines are indented`() {
    #expect(TextLayout.wrap("one two three", 8, indent: 2) == ["one two", "  three"])
    #expect(TextLayout.wrap("", 8) == [""])
  }

  @Test func `a text that is shortened ends with a whole word, unless that leaves too little`() {
    #expect(TextLayout.shortened("a task that ends, afterwards: gone", 20) == "a task that ends, …")
    #expect(TextLayout.shortened("a task that ends", 12) == "a task that…")
    #expect(TextLayout.shortened("one-handle-eightfold", 12) == "one-handle-…")
    #expect(TextLayout.shortened("a verylongwordindeed", 12) == "a verylongw…")
    #expect(TextLayout.shortened("short", 12) == "short")
  }

  @Test func `a word longer than the line is cut`() {
    #expect(TextLayout.wrap("abcdefghij", 4) == ["abcd", "efgh", "ij"])
  }

  @Test func `a line of Chinese goes on without a space, also behind and before a full-width mark`() {
    let page = LessonPage(markdown: "打印 nil。\n`a`打开，\n**b** 和\nc（\nd）再\n来\n").text(
      style: TextStyle(width: 60, isColored: false))
    #expect(page == "打印 nil。`a`打开，**b** 和 c（d）再来\n")
  }

  @Test func `Chinese wraps between characters and keeps punctuation with the character before it`() {
    #expect(TextLayout.wrap("下载进度，回调", 8) == ["下载进", "度，回调"])
    for columns in 4...20 {
      let lines = TextLayout.wrap("代理方法在哪个线程上执行，由谁决定？URLSession 有自己的队列。", columns)
      #expect(
        lines.allSatisfy { TextLayout.width($0) <= columns && !$0.hasPrefix("，") && !$0.hasPrefix("。") },
        "\(columns): \(lines)")
    }
  }

  @Test func `columns stand beside each other whatever their length`() {
    #expect(TextLayout.sideBySide(["a"], ["b", "c"], columns: 3, between: "|") == ["a  |b", "   |c"])
  }
}
