// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPRules

/// RFC 9110 section 5.6.7.
@Suite struct HTTPDateTests {
  /// 6 November 1994, 08:49:37 UTC.
  private static let moment: Int64 = 784_111_777

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `each of the three forms is read`(text: String) {
    #expect(HTTPDate.seconds(text, now: Self.moment) == Self.moment)
  }

  @Test func `a day of two digits, and a leap second`() {
    #expect(HTTPDate.seconds("Wed Nov 16 08:49:37 1994", now: 0) == Self.moment + 864_000)
    #expect(HTTPDate.seconds("Sat, 31 Dec 2016 23:59:60 GMT", now: 0) == 1_483_228_800)
  }

  @Test func `two digits mean the last such year, or one within 50 years`() {
    let now: Int64 = 1_800_000_000  // 2027
    #expect(HTTPDate.seconds("Sunday, 06-Nov-94 08:49:37 GMT", now: now) == Self.moment)
    #expect(HTTPDate.seconds("Thursday, 01-Jan-70 00:00:00 GMT", now: now) == 3_155_760_000)
    #expect(HTTPDate.seconds("Thursday, 01-Jan-98 00:00:00 GMT", now: now) == 883_612_800)
  }

  @Test(arguments: [
    "", "0", "-1", "now", "06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06-Nov-1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun,  06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun, 06 Nov 1994",
    "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov \u{664}994 08:49:37 GMT",
  ])
  func `anything else is none`(text: String) {
    #expect(HTTPDate.seconds(text, now: Self.moment) == nil)
  }
}
