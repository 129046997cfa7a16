// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPRules

@Suite struct HeaderFieldTests {
  @Test(arguments: [
    ("Content-Length", "content-length", true), ("ETag", "etag", true), ("x", "X", true), ("", "", true),
    ("Content-Length", "content_length", false), ("ETag", "ETags", false), ("@", "`", false),
    // The sign for kelvin is no K, though its lower case is one.
    ("\u{212A}", "k", false), ("\u{212A}-x", "k-x", false),
  ])
  func `names are compared without regard to the case of ASCII letters, and of no others (RFC 9110 5.1)`(
    name: String, other: String, isSame: Bool
  ) {
    #expect(HeaderField(name: name, value: "").isNamed(other) == isSame)
  }
}
