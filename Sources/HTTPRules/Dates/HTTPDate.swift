// SPDX-License-Identifier: Apache-2.0

/// Dates as HTTP writes them (RFC 9110 section 5.6.7), in one of three forms and in no other. Pure.
///
/// Cookies have a reader of their own, which takes almost anything for a date (`CookieDate`).
package enum HTTPDate {
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970; nil for text in none of the three forms. A year with two digits that would lie more than 50 years
  /// after `now` is the last one before with these digits (RFC 9110 section 5.6.7).
  package static func seconds(_ text: String, now: Int64) -> Int64? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    switch parts.count {
    case 6: return fixed(parts)
    case 4: return obsolete(parts, now: now)
    case 5: return ascii(parts)
    default: return nil
    }
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  private static func fixed(_ parts: [Substring]) -> Int64? {
    if parts[5] != "GMT" { return ascii(parts) }
    guard let name = parts[0].dropping(","), days.contains(name) else { return nil }
    return seconds(day: number(parts[1], 2), month: parts[2], year: number(parts[3], 4), time: parts[4])
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`
  private static func obsolete(_ parts: [Substring], now: Int64) -> Int64? {
    let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
    guard let name = parts[0].dropping(","), longDays.contains(name), parts[3] == "GMT", date.count == 3,
      let short = number(date[2], 2)
    else { return nil }
    let day = number(date[0], 2)
    let year = 1970 + now / 31_556_952
    let near = (year / 100 + 1) * 100 + short
    let candidates = [near, near - 100, near - 200]
    let fifty: Int64 = 50 * 31_556_952
    return candidates.lazy.compactMap { seconds(day: day, month: date[1], year: $0, time: parts[2]) }
      .first { $0 - now <= fifty }
  }

  /// `Sun Nov  6 08:49:37 1994`: six parts, of which the third is empty, or five.
  private static func ascii(_ parts: [Substring]) -> Int64? {
    let day = parts.count == 6 && parts[2].isEmpty ? number(parts[3], 1) : parts.count == 5 ? number(parts[2], 2) : nil
    guard days.contains(String(parts[0])), let day else { return nil }
    return seconds(day: day, month: parts[1], year: number(parts[parts.count - 1], 4), time: parts[parts.count - 2])
  }

  private static func seconds(day: Int64?, month: Substring, year: Int64?, time: Substring) -> Int64? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let day, let year, let month = months.firstIndex(of: String(month)),
      let hour = number(clock[0], 2), let minute = number(clock[1], 2), let second = number(clock[2], 2),
      // 60 is a leap second.
      hour < 24, minute < 60, second <= 60, let date = CivilDate(year: year, month: Int64(month) + 1, day: day)
    else { return nil }
    return date.seconds(hour: hour, minute: minute, second: second)
  }

  /// So many digits and nothing else.
  private static func number(_ text: Substring, _ count: Int) -> Int64? {
    guard text.utf8.count == count, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }
}

extension Substring {
  /// The part before this ending; nil without it.
  fileprivate func dropping(_ ending: String) -> String? {
    hasSuffix(ending) ? String(dropLast(ending.count)) : nil
  }
}
