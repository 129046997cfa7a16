// SPDX-License-Identifier: Apache-2.0
public import FoundationNetworking
import HTTPRules

/// A policy about a cookie, as its text.
public struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
  /// The text.
  public let rawValue: String

  /// A policy of this text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Goes along also where a link leads from another site.
  public static let sameSiteLax = Self(rawValue: "lax")
  /// Goes along within its own site alone.
  public static let sameSiteStrict = Self(rawValue: "strict")
}

extension HTTPCookiePropertyKey {
  /// The policy about requests that other sites cause, `HTTPCookieStringPolicy`. A cookie that a program makes does not keep it.
  public static let sameSitePolicy = HTTPCookiePropertyKey(rawValue: "SameSite")
  /// True if a script set the cookie. The toolchain's cookie does not keep it.
  public static let setByJavaScript = HTTPCookiePropertyKey(rawValue: "SetByJavaScript")
}

extension HTTPCookie {
  /// The policy about requests that other sites cause, as a server set it; nil where it said none, and for a cookie that a
  /// program made. It changes nothing here: no load is caused by another site's page.
  public var sameSitePolicy: HTTPCookieStringPolicy? {
    (self as? StoredCookie)?.facts.sameSite.map(HTTPCookieStringPolicy.init)
  }
}
