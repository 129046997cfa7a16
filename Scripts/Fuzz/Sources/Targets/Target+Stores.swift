// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

@testable import HTTPRules
@testable import URLLoading

// What lies on a disk between two runs.
extension Target {
  /// A file of cookies, a line each: what is read is written and read again as the same, and a cookie can be made of it. A list of
  /// before has such cookies, too.
  static let cookieStore = Target("cookie-store") { bytes in
    let records =
      bytes.split(separator: 10).compactMap { CookieLog.record($0) } + (EarlierCookies.records(in: bytes) ?? [])
    for record in records {
      check(CookieLog.record(CookieLog.line(record).dropLast()) == record, "read again, another cookie")
      _ = StoredCookie(record.facts).map { CookieFacts($0) }
    }
  }

  /// A file of the cache's folder: its index, a line each, or a response, also one whose digest is right.
  static let cacheFolder = Target("cache-folder") { bytes in
    for record in bytes.split(separator: 10).compactMap({ CacheLogFormat.record($0) }) {
      check(CacheLog.record(CacheLog.line(record).dropLast()) == record, "read again, another line")
    }
    for file in [bytes, ResponseFile.sealed(bytes)] {
      guard let found = ResponseFile.response(file) else { continue }
      let again = ResponseFile.response(ResponseFile.bytes(found))
      check(again?.head == found.head && again?.body == found.body, "read again, another response")
      _ = (found.cached, found.facts, found.size)
    }
  }
}
