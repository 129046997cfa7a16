// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

/// RFC 9111 section 5.2, and whatever else stands in the field.
@Suite struct CacheDirectivesTests {
  @Test func `directives are found in any case, with and without an argument`() {
    let directives = CacheDirectives(" No-Cache , max-age = 60,PRIVATE=\"a, b\" ,,x=\"1\"")
    #expect(directives.contains("no-cache") && directives.contains("private") && !directives.contains("b\""))
    #expect(directives.seconds("max-age") == 60)
    #expect(directives.seconds("x") == 1)
    #expect(directives.seconds("no-store") == nil)
  }

  @Test func `the first of several counts`() {
    #expect(CacheDirectives("max-age=1, max-age=2").seconds("max-age") == 1)
  }

  @Test(arguments: ["", "x", "-1", "1.5", "+1", "1 2", "0x1", "\u{661}"])
  func `what is no number counts as zero, so that the doubtful is stale`(text: String) {
    #expect(CacheDirectives("max-age=\(text)").seconds("max-age") == 0)
    #expect(CacheDirectives.deltaSeconds(text) == nil)
  }

  @Test func `seconds are clamped (CA-09)`() {
    #expect(CacheDirectives("max-age=2147483649").seconds("max-age") == CacheDirectives.longest)
    #expect(
      CacheDirectives("max-age=" + String(repeating: "9", count: 1000)).seconds("max-age") == CacheDirectives.longest)
  }

  @Test func `any text is taken`() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("\",=\\ max-ageno-cache09\u{5BB}é\t")
    let seconds = (0..<5000).map { _ in
      let text = String((0..<Int.random(in: 0...40)).map { _ in alphabet.randomElement(using: &random) ?? " " })
      return CacheDirectives(text).seconds("max-age") ?? 0
    }
    #expect(seconds.allSatisfy((0...CacheDirectives.longest).contains))
    #expect(CacheDirectives(nil) == CacheDirectives(""))
  }
}
