// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LessonKit

/// Text of programs, without what commands a terminal.
@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("plain, ä 中 🎈\n\tindented", "plain, ä 中 🎈\n\tindented"), ("\u{1B}[2J", "␛[2J"), ("a\u{7}\u{8}\r\u{0}", "a␇␈␍␀"),
    ("\u{7F}\u{9B}5n", "␡\u{FFFD}5n"), ("\u{A0}\u{C2}\u{BF}", "\u{A0}\u{C2}\u{BF}"), ("\u{1B}[1;31mred", "␛[1;31mred"),
  ])
  func `a control character becomes its picture, and other text stays`(_ text: String, _ visible: String) {
    #expect(VisibleText.of(text) == visible)
  }

  @Test func `where the workbench has coloured a text, colours stay and nothing else`() {
    let text = "\u{1B}[1;31mred\u{1B}[0m \u{1B}[2J\u{1B}]0;title\u{7}\u{1B}[\u{1B}[3"
    #expect(VisibleText.of(text, keepingColours: true) == "\u{1B}[1;31mred\u{1B}[0m ␛[2J␛]0;title␇␛[␛[3")
  }

  @Test func `in JSON the escapes are replaced as well, and it means the same otherwise`() throws {
    let values = ["a\u{1B}[2J\u{7}\u{8}\u{C}\r", "\\u001b \\\\", "tab\tline\n", "\u{7F}\u{85}ä", "\"", "/"]
    let json = VisibleText.json(try JSONEncoder().encode(values))
    #expect(try JSONDecoder().decode([String].self, from: json) == values.map { VisibleText.of($0) })
    for odd in ["\\", "\"\\u", "\"\\u00", "\u{C2}"] { #expect(VisibleText.json(Data(odd.utf8)) == Data(odd.utf8)) }
  }
}
