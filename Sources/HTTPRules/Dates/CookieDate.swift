// SPDX-License-Identifier: Apache-2.0

/// Reads the dates that servers write into cookies, which follow no grammar but an algorithm (RFC 6265 section 5.1.1).
/// Pure; takes any bytes.
package enum CookieDate {
  /// Seconds since 1970, or nil where the algorithm finds no date: something is missing, out of range, or before 1601.
  package static func seconds(_ bytes: some Collection<UInt8>) -> Int64? {
    var found = Found()
    for token in bytes.split(whereSeparator: isDelimiter) { found.take(Array(token)) }
    return found.seconds
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// The fields that the tokens so far have set; each token counts as the first of these that it can be and that is missing.
  private struct Found {
    var time: (hour: Int64, minute: Int64, second: Int64)?
    var day: Int64?
    var month: Int64?
    var year: Int64?

    mutating func take(_ token: [UInt8]) {
      if time == nil, let new = CookieDate.time(token) {
        time = new
      } else if day == nil, let new = CookieDate.number(token, digits: 1...2) {
        day = new
      } else if month == nil, let new = CookieDate.month(token) {
        month = new
      } else if year == nil, let new = CookieDate.number(token, digits: 2...4) {
        year = new < 70 ? new + 2000 : new < 100 ? new + 1900 : new
      }
    }

    var seconds: Int64? {
      guard let time, let day, let month, let year, year >= 1601, (1...31).contains(day), time.hour <= 23,
        time.minute <= 59, time.second <= 59
      else { return nil }
      return CivilDate(year: year, month: month, day: day)?
        .seconds(hour: time.hour, minute: time.minute, second: time.second)
    }
  }

  /// 1*2DIGIT three times with colons between, then nothing or anything that is no digit.
  private static func time(_ token: [UInt8]) -> (hour: Int64, minute: Int64, second: Int64)? {
    let fields = token.split(separator: 0x3A, maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, fields[0].count <= 2, fields[1].count <= 2,
      let hour = number(fields[0], digits: 1...2), let minute = number(fields[1], digits: 1...2),
      fields[0].allSatisfy(isDigit), fields[1].allSatisfy(isDigit),
      let second = number(fields[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  /// So many digits, then nothing or anything that begins with no digit.
  private static func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int64? {
    let leading = token.prefix { isDigit($0) }
    guard digits.contains(leading.count) else { return nil }
    return leading.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static let months: [[UInt8]] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }

  private static func month(_ token: [UInt8]) -> Int64? {
    let start = token.prefix(3).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return months.firstIndex(of: start).map { Int64($0 + 1) }
  }
}
