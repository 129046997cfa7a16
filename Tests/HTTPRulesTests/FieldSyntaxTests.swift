// SPDX-License-Identifier: Apache-2.0
import HTTPRules
import Testing

@Suite struct FieldSyntaxTests {
  private func parts(_ text: String, _ separator: Character = ",") -> [String] {
    FieldSyntax.parts(of: text[...].utf8, between: separator.asciiValue ?? 0).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func value(_ text: String) -> String {
    String(decoding: FieldSyntax.value(of: text[...].utf8), as: UTF8.self)
  }

  @Test(arguments: [
    ("", [""]), ("a", ["a"]), ("a,b", ["a", "b"]), (",a,", ["", "a", ""]), (#"a="b,c",d"#, [#"a="b,c""#, "d"]),
    (#"a= "b,c" ,d"#, [#"a= "b,c" "#, "d"]), (#"a="b\",c",d"#, [#"a="b\",c""#, "d"]), (#"a="b,c"#, [#"a="b,c"#]),
    (#"a"b,c"d"#, [#"a"b"#, #"c"d"#]), (#"a\,b"#, [#"a\"#, "b"]), (#"a="b\"#, [#"a="b\"#]),
  ])
  func
    `separators within a quoted string separate nothing, and a mark opens one behind an equals sign alone (RFC 9110 5.6)`(
      text: String, expected: [String]
    )
  {
    #expect(parts(text) == expected)
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), (" \ta b\t ", "a b"), (#""a""#, "a"), (#" "a b" "#, "a b"), (#""a\"b\\c""#, #"a"b\c"#),
    (#""a"#, "a"), (#""a\"#, #"a\"#), (#""a" b"#, "a"), (#"a"b""#, #"a"b""#), (#""""#, ""),
  ])
  func `a value is meant without its marks and quoted pairs, whole or cut (RFC 9110 5.6.4)`(
    text: String, expected: String
  ) {
    #expect(value(text) == expected)
  }

  @Test(.timeLimit(.minutes(1))) func `white space and marks in any number are looked at once each`() {
    let text = String(repeating: " ", count: 200_000) + String(repeating: "\"", count: 200_000)
    #expect(parts(text).count == 1)
  }

  @Test func `a quoted string says whether it was closed, and leaves what stands behind it`() {
    var rest = Array(#"a\"b" c"#.utf8)[...]
    let (content, isClosed) = FieldSyntax.takeQuoted(&rest)
    #expect(content == Array(#"a"b"#.utf8) && isClosed && rest == Array(" c".utf8)[...])
    var open = Array("ab".utf8)[...]
    #expect(FieldSyntax.takeQuoted(&open) == (Array("ab".utf8), false) && open.isEmpty)
  }
}
