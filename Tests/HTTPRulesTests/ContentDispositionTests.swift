// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPRules

@Suite struct ContentDispositionTests {
  /// A field's value as it comes from the wire: a scalar for each byte.
  private static func received(_ text: String) -> String {
    String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
  }

  private static let cases: [(String, [String])] = [
    ("attachment", []),
    ("attachment; filename=a.txt", ["a.txt"]),
    ("attachment ;\tFileName = \"a b.txt\" ; size=1", ["a b.txt"]),
    // The better name first, wherever it stands.
    ("attachment; filename=a.txt; filename*=UTF-8''b%20%E2%82%AC.txt", ["b \u{20AC}.txt", "a.txt"]),
    ("attachment; FILENAME*=utf-8'en'b.txt; filename=a.txt", ["b.txt", "a.txt"]),
    ("attachment; filename*=iso-8859-1''%e4.txt", ["\u{E4}.txt"]),
    // What is no such value leaves the other.
    ("attachment; filename*=UTF-8''%E4.txt; filename=a.txt", ["a.txt"]),
    ("attachment; filename*=UTF-8''%4; filename=a.txt", ["a.txt"]),
    ("attachment; filename*=KOI8-R''b.txt; filename=a.txt", ["a.txt"]),
    ("attachment; filename*=b.txt; filename=a.txt", ["a.txt"]),
    // Quoted pairs, and what stands in quotation marks but is no parameter.
    (#"attachment; filename="a\"b\\c.txt""#, [#"a"b\c.txt"#]),
    (#"attachment; name="x; filename=no.txt"; filename="yes;.txt""#, ["yes;.txt"]),
    (#"attachment; filename="a.txt"; filename="b.txt""#, ["a.txt"]),
    // Raw UTF-8.
    ("attachment; filename=\"\u{20AC}.txt\"", ["\u{20AC}.txt"]),
    // What is cut or broken.
    ("attachment; filename=\"a.t", ["a.t"]), ("attachment; filename=\"a\\", ["a\\"]), ("attachment; filename", []),
    ("attachment; filename=", [""]), (";;;=\"", []), ("", []),
  ]

  @Test(arguments: cases) func `the name that was meant (DL-11)`(field: String, names: [String]) {
    #expect(ContentDisposition.names(in: Self.received(field)) == names)
  }

  @Test func `bytes that are no UTF-8 are ISO 8859-1, and a field that is text is taken as it is (DL-11)`() {
    #expect(ContentDisposition.names(in: "attachment; filename=\u{E4}.txt") == ["\u{E4}.txt"])
    #expect(ContentDisposition.names(in: "attachment; filename=\u{20AC}.txt") == ["\u{20AC}.txt"])
  }
}
