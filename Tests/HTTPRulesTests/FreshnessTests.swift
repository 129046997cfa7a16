// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

/// RFC 9111 section 4.2.
@Suite struct FreshnessTests {
  /// 15 November 1994, 12:45:26 UTC.
  private static let now: Int64 = 784_903_526
  private static let date = "Tue, 15 Nov 1994 12:45:26 GMT"

  private func freshness(
    _ fields: [String: String], status: Int = 200, requested: Int64 = 0, received: Int64 = 0, later: Int64 = 0
  ) -> Freshness {
    Freshness(
      CacheFields(fields), status: status, requested: Self.now + requested, received: Self.now + received,
      now: Self.now + later)
  }

  @Test func `the age is the largest that can be known, and grows in the cache`() {
    #expect(freshness(["Date": Self.date], received: 5, later: 10).age == 10)
    #expect(freshness(["Date": Self.date, "Age": "20"], requested: 3, received: 5, later: 10).age == 27)
    #expect(freshness([:], received: 5, later: 10).age == 10)
    #expect(freshness(["Age": "20"], later: 10).age == 30)
    #expect(freshness(["Age": "x"], later: 10).age == 10)
  }

  @Test func `the lifetime is told by max-age, by Expires, or guessed`() {
    #expect(freshness(["Cache-Control": "max-age=7", "Expires": Self.date]).lifetime == 7)
    #expect(freshness(["Date": Self.date, "Expires": "Tue, 15 Nov 1994 12:46:26 GMT"]).lifetime == 60)
    #expect(freshness(["Date": Self.date, "Expires": "Tuesday, 15-Nov-94 12:46:26 GMT"]).lifetime == 60)
    #expect(freshness(["Expires": "0"]).lifetime == 0)
    #expect(freshness(["Date": Self.date, "Expires": "Tue, 15 Nov 1994 12:46:26 +0000"]).lifetime == 0)
    #expect(freshness(["Date": Self.date, "Expires": "15 Nov 1994 12:46:26 GMT"]).lifetime == 0)
    #expect(freshness(["Date": Self.date, "Last-Modified": "Tue, 15 Nov 1994 12:28:46 GMT"]).lifetime == 100)
    #expect(freshness(["Date": Self.date, "Last-Modified": "Mon, 15 Nov 1993 12:45:26 GMT"]).lifetime == 86_400)
    #expect(freshness(["Last-Modified": "Tue, 15 Nov 1994 12:28:46 GMT"], status: 201).lifetime == 0)
    #expect(freshness([:]).lifetime == 0)
  }

  @Test func `the century of a year with two digits is told by the time that is passed in`() {
    let expires = ["Date": Self.date, "Expires": "Tuesday, 15-Nov-50 12:46:26 GMT"]
    #expect(freshness(expires).lifetime == 0)
    #expect(freshness(expires, later: 10 * 31_556_952).lifetime > 0)
  }

  @Test func `nothing overflows, and a clock that went back makes everything stale (CA-09)`() {
    let fields = ["Date": "1 Jan 1601 00:00:00", "Age": "9223372036854775808", "Cache-Control": "max-age=2147483648"]
    let extreme = Freshness(
      CacheFields(fields), status: 200, requested: .min, received: .max, now: .max)
    #expect(extreme.age > 0 && !extreme.isFresh)
    #expect(Freshness(CacheFields([:]), status: 200, requested: .max, received: .min, now: .max).age >= 0)
    #expect(freshness(["Cache-Control": "max-age=60"], received: 100, later: 0).isFresh == false)
    #expect(freshness(["Cache-Control": "max-age=60"], received: 1, later: 0).isFresh)
  }
}
