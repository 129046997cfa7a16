// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import FoundationNetworking

/// Judges whether a server may set a cookie, and makes of it what is stored (RFC 6265 section 5.3 with the guards of
/// RFC 6265bis section 5.7). Pure.
package enum CookieRules {
  /// Cookies of one domain, and of all (RFC 6265 section 6.1).
  package static let limitPerDomain = 50
  package static let limit = 3000

  /// The second that no clock reaches: 31 December 9999.
  private static let lastSecond: Int64 = 253_402_300_799

  /// The cookie to store, or nil for one that is refused.
  ///
  /// - Parameters:
  ///   - new: what the server wrote.
  ///   - scope: the request it answered.
  ///   - existing: the secure cookies there are.
  ///   - now: the time, from which Max-Age counts.
  ///   - isPublic: whether a domain is one under which strangers register names; no host may set cookies for all of them.
  package static func cookie(
    from new: SetCookie, at scope: CookieScope, existing: some Sequence<CookieFacts>, now: Date,
    isPublic: (String) -> Bool
  ) -> CookieFacts? {
    guard let (domain, isHostOnly) = domain(of: new, at: scope, isPublic: isPublic) else { return nil }
    let cookie = CookieFacts(
      name: new.name, value: new.value, domain: domain, isHostOnly: isHostOnly, path: new.path ?? scope.defaultPath,
      expires: expiry(of: new, now: now), isSecure: new.isSecure, isHTTPOnly: new.isHTTPOnly,
      sameSite: new.sameSite, created: now)
    guard scope.isSecure || !new.isSecure, hasWhatItsNamePromises(cookie, new),
      scope.isSecure || !existing.contains(where: { wouldHide(cookie, $0) })
    else { return nil }
    return cookie
  }

  /// Steps 4 to 6: a Domain must hold the host, and may not be public, unless it is the host itself.
  private static func domain(
    of new: SetCookie, at scope: CookieScope, isPublic: (String) -> Bool
  ) -> (domain: String, isHostOnly: Bool)? {
    guard let domain = new.domain else { return (scope.host, true) }
    if domain == scope.host, CookieScope.isAddress(domain) || isPublic(domain) { return (domain, true) }
    guard !domain.hasSuffix("."), scope.isWithin(domain: domain), !isPublic(domain) else { return nil }
    return (domain, false)
  }

  /// Max-Age wins over Expires; what cannot be reckoned is clamped.
  private static func expiry(of new: SetCookie, now: Date) -> Date? {
    if let age = new.maxAge {
      guard age > 0 else { return .distantPast }
      let (sum, overflows) = Int64(now.timeIntervalSince1970).addingReportingOverflow(age)
      return Date(timeIntervalSince1970: TimeInterval(overflows ? lastSecond : min(sum, lastSecond)))
    }
    return new.expires.map { Date(timeIntervalSince1970: TimeInterval($0)) }
  }

  /// RFC 6265bis section 4.1.3: `__Secure-` and `__Host-` say how the cookie was set.
  private static func hasWhatItsNamePromises(_ cookie: CookieFacts, _ new: SetCookie) -> Bool {
    let name = cookie.name.lowercased()
    if name.hasPrefix("__host-") {
      return cookie.isSecure && new.domain == nil && new.path == "/"
    }
    return !name.hasPrefix("__secure-") || cookie.isSecure
  }

  /// RFC 6265bis section 5.7, step 16: a plain channel replaces or hides no secure cookie.
  private static func wouldHide(_ cookie: CookieFacts, _ old: CookieFacts) -> Bool {
    old.isSecure && old.name == cookie.name
      && (CookieScope.host(cookie.domain, isWithin: old.domain)
        || CookieScope.host(old.domain, isWithin: cookie.domain))
      && CookieScope.path(cookie.path, isWithin: old.path)
  }

  /// True if cookies of a response are accepted at all. With `onlyFromMainDocumentDomain` a response must come from the
  /// main document's host or a domain it lies in; a request without a main document is its own.
  package static func accepts(_ policy: HTTPCookie.AcceptPolicy, from scope: CookieScope, mainDocument: URL?) -> Bool {
    switch policy {
    case .never: return false
    case .onlyFromMainDocumentDomain:
      guard let mainDocument else { return true }
      guard let main = CookieScope(mainDocument) else { return false }
      return main.isWithin(domain: scope.host)
    default: return true
    }
  }
}
