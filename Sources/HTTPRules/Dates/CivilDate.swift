// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar. Pure; no time zone but UTC, no formatter.
package struct CivilDate {
  private let days: Int64

  /// Nil where there is no such day, as 30 February. The year is 1 to 9999.
  package init?(year: Int64, month: Int64, day: Int64) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...9999).contains(year), (1...12).contains(month), (1...lengths[Int(month - 1)]).contains(day) else {
      return nil
    }
    // Years that begin with March put the leap day last; 719,468 days lie before 1970.
    let marchYear = month > 2 ? year : year - 1
    let sinceMarch = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + sinceMarch - 719_468
  }

  /// Seconds since 1970 at this time of the day.
  package func seconds(hour: Int64, minute: Int64, second: Int64) -> Int64 {
    days * 86_400 + hour * 3600 + minute * 60 + second
  }
}
