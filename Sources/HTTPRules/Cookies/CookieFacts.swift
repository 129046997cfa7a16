// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A cookie as the rules see it, in any store.
package struct CookieFacts: Hashable, Sendable, Codable {
  package var name: String
  package var value: String
  /// Lower-case, without a leading dot.
  package var domain: String
  /// True if only the very host that set it gets it back.
  package var isHostOnly: Bool
  package var path: String
  /// When it goes; nil for one that goes with the session.
  package var expires: Date?
  package var isSecure = false
  package var isHTTPOnly = false
  /// `strict` or `lax`; nil where nothing was said, or something else (RFC 6265bis section 5.7).
  package var sameSite: String?
  /// When a cookie of this name, domain and path was first stored.
  package var created: Date

  /// A cookie as given.
  package init(
    name: String, value: String, domain: String, isHostOnly: Bool, path: String, expires: Date? = nil,
    isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: String? = nil, created: Date
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.isHostOnly = isHostOnly
    self.path = path
    self.expires = expires
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.sameSite = sameSite
    self.created = created
  }

  /// True if it is for the host of `scope`.
  package func isFor(_ scope: CookieScope) -> Bool {
    isHostOnly ? scope.host == domain : scope.isWithin(domain: domain)
  }

  /// True if it goes with a request to `scope` at `now` (section 5.4, step 1).
  package func goes(to scope: CookieScope, at now: Date) -> Bool {
    isFor(scope) && scope.isWithin(path: path)
      && (!isSecure || scope.isSecure) && !hasExpired(at: now) && isSendable
  }

  package func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

  /// Programs store cookies, too: one that would break the field or its neighbours stays at home.
  private var isSendable: Bool {
    !name.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0x3B || $0 == 0x3D }
      && !value.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F || $0 == 0x3B }
  }

  /// The value of the Cookie field that carries these: longer paths first, then older ones (section 5.4, steps 2 and 4);
  /// nil for none.
  package static func field(of cookies: [CookieFacts]) -> String? {
    guard !cookies.isEmpty else { return nil }
    return cookies.sorted(by: precedes).map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// True if `one` stands before `other` in the field.
  package static func precedes(_ one: CookieFacts, _ other: CookieFacts) -> Bool {
    let lengths = (one.path.utf8.count, other.path.utf8.count)
    if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
    return one.created != other.created ? one.created < other.created : one.name < other.name
  }
}
