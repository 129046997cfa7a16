// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPRules

/// RFC 9110 sections 5.6.6, 8.3 and 8.3.1.
@Suite struct MediaTypeTests {
  @Test(arguments: [
    ("text/html ; charset=utf-8", "text/html", "utf-8" as String?), ("text/html; CHARSET=UTF-8", "text/html", "utf-8"),
    ("Text/HTML;charset=\"utf-8\"", "text/html", "utf-8"), ("text/html\t;\tcharset=utf-8\t", "text/html", "utf-8"),
    ("text/html; x=\"a; charset=b\"; charset=c", "text/html", "c"),
    ("text/html; charset=\"a\\\"b\"", "text/html", "a\"b"),
    ("text/html; x=\"a, text/css\"; charset=c", "text/html", "c"), ("text/html; charset=\"utf-8", "text/html", "utf-8"),
    ("text/html; charset=a; charset=b", "text/html", "a"), ("text/html;;charset=a;", "text/html", "a"),
    ("text/html; charset=", "text/html", nil), ("text/html; xcharset=a", "text/html", nil), ("a/b", "a/b", nil),
    ("text/html; x=a\"b; charset=c", "text/html", "c"),
    ("text/html, application/json; charset=x", "application/json", "x"),
    ("text/html; charset=x, application/json", "application/json", nil),
    ("text/html; charset=x, TEXT/html; y=z", "text/html", "x"), ("text/html, text", "text/html", nil),
    ("text/html, */*", "text/html", nil), (",text/html,", "text/html", nil),
  ])
  func `type and character set are read`(field: String, name: String, charset: String?) {
    #expect(MediaType(field: field) == MediaType(name, charset: charset))
  }

  @Test(arguments: [
    "", " ", "text", "text/", "/html", "a/b/c", "te xt/html", "*/*", ";charset=utf-8", "text/ html", "\"",
  ])
  func `what is no media type is none`(field: String) {
    #expect(MediaType(field: field) == nil)
  }

  /// An empty member in front changes nothing, but is no plain type: such a field is read by the whole rule.
  @Test func `the short way for plain types says what the long one says`() {
    let words = [
      "text", "/", "html", "A", "*", ";", "; ", "charset=", "Charset=", "utf-8", "\"", ",", " ", "ü", "=", "x",
    ]
    for _ in 0..<20_000 {
      let field = (0..<Int.random(in: 0...8)).map { _ in words.randomElement() ?? "" }.joined()
      #expect(MediaType(field: field) == MediaType(field: "," + field), "\(field)")
    }
  }

  @Test func `any text is read`() {
    let alphabet = Array("a/b;, \t=\"\\charsetü")
    for _ in 0..<5000 {
      _ = MediaType(field: String((0..<Int.random(in: 0...30)).map { _ in alphabet.randomElement() ?? "a" }))
    }
  }
}
