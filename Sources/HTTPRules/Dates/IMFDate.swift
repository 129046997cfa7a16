// SPDX-License-Identifier: Apache-2.0

/// The date of a header field in the one form that is still sent: `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate,
/// RFC 9110 section 5.6.7). Pure.
package enum IMFDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Seconds since 1970; nil for any other form, and for a day that there is not.
  package static func seconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 29, matches(bytes), days.contains(String(decoding: bytes[0..<3], as: UTF8.self)),
      let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
      let day = number(bytes[5..<7]), let year = number(bytes[12..<16]), let hour = number(bytes[17..<19]),
      let minute = number(bytes[20..<22]), let second = number(bytes[23..<25]),
      let date = CivilDate(year: year, month: Int64(month) + 1, day: day),
      year >= 1601, hour < 24, minute < 60, second <= 60
    else { return nil }
    return date.seconds(hour: hour, minute: minute, second: second)
  }

  /// Checks the characters that are the same in every such date.
  private static func matches(_ bytes: [UInt8]) -> Bool {
    zip(bytes, "???, ?? ??? ???? ??:??:?? GMT".utf8).allSatisfy { $1 == UInt8(ascii: "?") || $0 == $1 }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
