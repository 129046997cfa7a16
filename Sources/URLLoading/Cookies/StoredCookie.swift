// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules

/// The toolchain's cookie over facts that we have judged, with what the toolchain's cannot hold: when a cookie of its kind was
/// first set, and for which requests of other sites it is.
final class StoredCookie: HTTPCookie, @unchecked Sendable {
  // Sendable: the facts never change.

  let facts: CookieFacts

  init?(_ facts: CookieFacts) {
    self.facts = facts
    var properties: [HTTPCookiePropertyKey: Any] = [
      .name: facts.name, .value: facts.value, .path: facts.path,
      .domain: facts.isHostOnly ? facts.domain : "." + facts.domain,
    ]
    if facts.isSecure { properties[.secure] = "TRUE" }
    if facts.isHTTPOnly { properties[Self.httpOnly] = "TRUE" }
    if let expires = facts.expires { properties[.expires] = expires } else { properties[.discard] = "TRUE" }
    super.init(properties: properties)
  }

  private static let httpOnly = HTTPCookiePropertyKey("HttpOnly")
  static let createdKey = HTTPCookiePropertyKey("Created")

  /// The properties that the toolchain gives it, with those that it cannot hold.
  override var properties: [HTTPCookiePropertyKey: Any]? {
    var properties = super.properties
    properties?[Self.createdKey] = facts.created.timeIntervalSinceReferenceDate
    if facts.isHTTPOnly { properties?[Self.httpOnly] = "TRUE" }
    if let sameSite = facts.sameSite { properties?[.sameSitePolicy] = HTTPCookieStringPolicy(rawValue: sameSite) }
    return properties
  }
}

extension CookieFacts {
  /// The facts of a cookie in a store, as the rules see it, whether we or a program put it there.
  init(_ cookie: HTTPCookie) {
    if let stored = cookie as? StoredCookie {
      self = stored.facts
      return
    }
    let domain = cookie.domain.lowercased()
    let isHostOnly = !domain.hasPrefix(".")
    let created = cookie.properties?[StoredCookie.createdKey] as? Double
    self.init(
      name: cookie.name, value: cookie.value, domain: isHostOnly ? domain : String(domain.dropFirst()),
      isHostOnly: isHostOnly, path: cookie.path, expires: cookie.expiresDate, isSecure: cookie.isSecure,
      isHTTPOnly: cookie.isHTTPOnly, created: Date(timeIntervalSinceReferenceDate: created ?? 0))
  }
}
