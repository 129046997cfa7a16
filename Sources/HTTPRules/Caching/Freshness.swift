// SPDX-License-Identifier: Apache-2.0

/// How old a stored response is and how old it may become (RFC 9111 section 4.2). Pure: times come as seconds since 1970.
package struct Freshness: Hashable, Sendable {
  /// Seconds since the origin made or confirmed the response, as far as can be known (section 4.2.3).
  package var age: Int64
  /// Seconds for which it is fresh (section 4.2.1); a heuristic where the origin says nothing (section 4.2.2).
  package var lifetime: Int64
  /// True if the origin itself set the lifetime.
  package var isExplicit: Bool

  package var isFresh: Bool { lifetime > age }

  /// A tenth of the time since the last change, at most a day: a longer guess would call for a warning.
  private static let longestGuess: Int64 = 86_400

  /// - Parameters:
  ///   - fields: the response's.
  ///   - status: its status; only what RFC 9110 section 15.1 calls heuristically cacheable is guessed about.
  ///   - requested: when its request went out.
  ///   - received: when its head arrived.
  ///   - now: the time. Before `received` the clock has jumped, and nothing is fresh.
  package init(_ fields: CacheFields, status: Int, requested: Int64, received: Int64, now: Int64) {
    let date = fields.date("date", now: now) ?? received
    (lifetime, isExplicit) = Self.lifetime(fields, date: date, status: status, now: now)
    let apparent = Self.difference(received, date)
    let stated = fields["age"].flatMap { CacheDirectives.deltaSeconds($0) } ?? 0
    let corrected = stated + Self.difference(received, requested)
    age = max(apparent, corrected) + Self.difference(now, received)
    if Self.difference(received, now) > 1 { lifetime = 0 }
  }

  private static func lifetime(
    _ fields: CacheFields, date: Int64, status: Int, now: Int64
  ) -> (Int64, isExplicit: Bool) {
    if let age = fields.directives.seconds("max-age") { return (age, true) }
    if fields["expires"] != nil {
      // A date that is none, as in "Expires: 0", lies in the past (section 5.3).
      return (fields.date("expires", now: now).map { difference($0, date) } ?? 0, true)
    }
    guard [200, 203, 204].contains(status), let modified = fields.date("last-modified", now: now) else {
      return (0, false)
    }
    return (min(longestGuess, difference(date, modified) / 10), false)
  }

  /// Counts the seconds from earlier to later, never below zero, clamped.
  private static func difference(_ later: Int64, _ earlier: Int64) -> Int64 {
    let (seconds, overflows) = later.subtractingReportingOverflow(earlier)
    return overflows ? CacheDirectives.longest : min(max(0, seconds), CacheDirectives.longest)
  }
}
