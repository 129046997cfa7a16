// SPDX-License-Identifier: Apache-2.0
import Locking
public import URLLoading

/// Cookies of a session's tasks.
///
/// Stored cookies go with every request that they match by RFC 6265 (host, path, secure channel, expiry), and every
/// sound response may set some, redirects and 401 included; both are decided anew for each request of a task. A request
/// whose `httpShouldHandleCookies` is false takes no part. Stored cookies replace a Cookie field that a program wrote.
extension URLSessionConfiguration {
  /// Where cookies are kept: `HTTPCookieStorage.shared` in a `default` configuration, a private one in memory in an
  /// `ephemeral` one. nil: no cookies are sent or kept.
  ///
  /// Only what is in the store counts here, not what the store's own `cookies(for:)` would choose. Where the shared
  /// store's file cannot be read the store is empty, and the file is kept beside as `.cookies.shared.damaged`, unless the
  /// program used `HTTPCookieStorage.shared` before any configuration or connection of ours.
  public var httpCookieStorage: HTTPCookieStorage? {
    get { values.withLock { $0.cookieStorage } }
    set { values.withLock { $0.cookieStorage = newValue } }
  }

  /// Which responses may set cookies; `.onlyFromMainDocumentDomain` unless set. It overrides the store's own policy,
  /// except that a store whose policy is `.never` takes none.
  ///
  /// With `.onlyFromMainDocumentDomain` a request that names a `mainDocumentURL` gets cookies from that document's host
  /// and the domains it lies in alone; without one every response may set some.
  public var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get { values.withLock { $0.cookieAcceptPolicy } ?? .onlyFromMainDocumentDomain }
    set { values.withLock { $0.cookieAcceptPolicy = newValue } }
  }

  /// Whether stored cookies go with requests; true unless set. Where false a program writes the Cookie field itself.
  /// Responses set cookies either way.
  public var httpShouldSetCookies: Bool {
    get { values.withLock { $0.sendsCookies } }
    set { values.withLock { $0.sendsCookies = newValue } }
  }
}
