// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

/// CK-01, CK-07: RFC 6265 section 5.1.1, sentence by sentence.
@Suite struct CookieDateTests {
  private func seconds(_ text: String) -> Int64? { CookieDate.seconds(Array(text.utf8)) }

  /// 9 June 2021, 10:18:14 UTC.
  private static let june: Int64 = 1_623_233_894

  @Test(arguments: [
    "Wed, 09 Jun 2021 10:18:14 GMT", "Wednesday, 09-Jun-21 10:18:14 GMT", "Wed Jun  9 10:18:14 2021",
    "9 Jun 2021 10:18:14", "2021 june 9 10:18:14", "10:18:14 9 JUN 2021", "09 Jun 21 10:18:14",
    "Wed,09/Jun/2021;10:18:14", "9th Jun 2021th 10:18:14pm", "junk 09 Jun 2021 10:18:14 +0200",
    "Jun 9 2021 10:18:14 99:99:99 31 Dec 1999",
  ])
  func `forms that servers write`(text: String) {
    #expect(seconds(text) == Self.june, "\(text)")
  }

  @Test func `a year of two digits is of the last or of this century`() {
    #expect(seconds("1 Jan 70 00:00:00") == 0)
    #expect(seconds("1 Jan 99 00:00:00") == 915_148_800)
    #expect(seconds("1 Jan 69 00:00:00") == 3_124_224_000)
    #expect(seconds("1 Jan 00 00:00:00") == 946_684_800)
  }

  @Test func `the ends of the calendar`() {
    #expect(seconds("31 Dec 9999 23:59:59") == 253_402_300_799)
    #expect(seconds("1 Jan 1601 00:00:00") == -11_644_473_600)
    #expect(seconds("29 Feb 2000 00:00:00") == 951_782_400)
    #expect(seconds("28 Feb 1900 00:00:00") != nil)
  }

  @Test(arguments: [
    "", "Jun 2021 10:18:14", "9 2021 10:18:14", "9 Jun 10:18:14", "9 Jun 2021", "9 Jun 1600 10:18:14",
    "0 Jun 2021 10:18:14", "32 Jun 2021 10:18:14", "30 Feb 2021 10:18:14", "29 Feb 1900 10:18:14",
    "9 Jun 2021 24:00:00", "9 Jun 2021 10:60:00", "9 Jun 2021 10:18:60", "9 Jun 2021 10:18", "9 Jun 12345 10:18:14",
    "9 Jun 2021 010:18:14", "9 Jun 2021 10:18:014", "009 Jun 2021 10:18:14", "9 Ju 2021 10:18:14",
    "9 Jun 2021 10:18:1x4:",
  ])
  func `what is no date`(text: String) {
    // The last one has a time of one digit's second, which the algorithm takes.
    #expect(seconds(text) == (text.hasSuffix("1x4:") ? Self.june - 13 : nil), "\(text)")
  }

  @Test func `any bytes are taken`() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("0123456789: ,-JanFebDec\u{7F}".utf8) + [0, 0xFF, 0x80]
    let range: ClosedRange<Int64> = -11_644_473_600...253_402_300_799
    let dates = (0..<5000).compactMap { _ in
      CookieDate.seconds((0..<Int.random(in: 0...40)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
    }
    #expect(dates.allSatisfy(range.contains))
  }
}
