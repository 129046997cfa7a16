// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import FoundationNetworking
import HTTPRules

/// Cookies, chosen and judged by RFC 6265 with the guards of RFC 6265bis.
///
/// `shared` and those of a group keep what outlives the process in a file, which several processes use at the same time: each
/// sees what another has stored before its next request. A storage that was made by `init()`, as each `ephemeral`
/// configuration has one, lives in memory. Any thread.
///
/// A program may have a class of its own: loads then ask `cookies(for:)`, and give what responses set to
/// `setCookies(_:for:mainDocumentURL:)`, on a queue of the library's.
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
  // Sendable: `store` is a constant that keeps its state behind a lock.

  let store: CookieStore

  /// An empty storage in memory.
  public override init() {
    store = CookieStore()
  }

  init(_ store: CookieStore) {
    self.store = store
  }

  /// The cookies of this program, which sessions with a `default` configuration and all connections share. They lie in a
  /// file of the program's own (mode 0600), named after its bundle's identifier, else after its executable and a hash of
  /// where that lies.
  open class var shared: HTTPCookieStorage { SharedCookies.own }

  /// The cookies that all programs of this user share that name this group: always the same object in one process.
  open class func sharedCookieStorage(forGroupContainerIdentifier identifier: String) -> HTTPCookieStorage {
    SharedCookies.group(identifier)
  }

  /// All cookies that have not expired, the oldest first; never nil.
  open var cookies: [HTTPCookie]? { store.cookies }

  /// The cookies that go with a request to `url`, in the order of its Cookie field; never nil.
  open func cookies(for url: URL) -> [HTTPCookie]? { store.cookies(for: url) }

  /// Stores a cookie, whatever the policy: it takes the place of the one with the same name, domain and path. One that has
  /// expired removes that.
  open func setCookie(_ cookie: HTTPCookie) {
    if store.set(cookie) { post(.NSHTTPCookieManagerCookiesChanged) }
  }

  /// Stores the cookies that a response from `url` set, as far as the policy takes them and their domains hold the URL's host;
  /// without a URL all that the policy takes.
  open func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
    guard cookieAcceptPolicy != .never else { return }
    let scope = url.flatMap(CookieScope.init)
    if let scope, !CookieRules.accepts(cookieAcceptPolicy, from: scope, mainDocument: mainDocumentURL) { return }
    for cookie in cookies where scope.map({ CookieFacts(cookie).isFor($0) }) ?? (url == nil) { setCookie(cookie) }
  }

  /// Removes the cookie with the same name, domain and path.
  open func deleteCookie(_ cookie: HTTPCookie) {
    if store.remove(cookie) { post(.NSHTTPCookieManagerCookiesChanged) }
  }

  /// Removes the cookies that were first stored at `date` or later.
  open func removeCookies(since date: Date) {
    if store.removeAll(since: date) { post(.NSHTTPCookieManagerCookiesChanged) }
  }

  /// All cookies in the order of these.
  open func sortedCookies(using sortOrder: [NSSortDescriptor]) -> [HTTPCookie] {
    let cookies = cookies ?? []
    return NSArray(array: cookies).sortedArray(using: sortOrder).compactMap { $0 as? HTTPCookie }
  }

  /// Whose cookies are taken, where a configuration does not say: `.always` at first. It lives as long as the process.
  open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get { store.policy }
    set { if store.setPolicy(newValue) { post(.NSHTTPCookieManagerAcceptPolicyChanged) } }
  }

  private func post(_ name: NSNotification.Name) {
    NotificationCenter.default.post(name: name, object: self)
  }
}

// MARK: - Loads

extension HTTPCookieStorage {
  /// True if this is no class of a program's, whose methods may take any time.
  var isPlain: Bool { type(of: self) == HTTPCookieStorage.self }

  /// The value of the Cookie field for a request to `url`; nil for none.
  package func field(for url: URL) -> String? {
    guard !isPlain else { return store.field(for: url) }
    let cookies = cookies(for: url) ?? []
    return cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// Stores what a response to a request for `url` sets.
  ///
  /// - Parameters:
  ///   - fields: the values of its Set-Cookie fields, one cookie each.
  ///   - url: the request's.
  ///   - mainDocument: the request's `mainDocumentURL`.
  ///   - policy: whose cookies are taken; nil for the storage's own.
  func receive(_ fields: [String], from url: URL, mainDocument: URL?, policy: HTTPCookie.AcceptPolicy?) {
    guard isPlain else { return hand(fields, from: url, mainDocument: mainDocument, policy: policy) }
    guard store.receive(fields, from: url, mainDocument: mainDocument, policy: policy) else { return }
    store.queue.async { self.post(.NSHTTPCookieManagerCookiesChanged) }
  }

  /// Gives what the rules take of a response to a program's own class, also what is to be removed: a cookie that has expired.
  private func hand(_ fields: [String], from url: URL, mainDocument: URL?, policy: HTTPCookie.AcceptPolicy?) {
    guard let scope = CookieScope(url),
      CookieRules.accepts(policy ?? cookieAcceptPolicy, from: scope, mainDocument: mainDocument)
    else { return }
    let secure = (cookies ?? []).filter(\.isSecure).map { CookieFacts($0) }
    let taken = fields.prefix(CookieTable.fieldLimit).compactMap { SetCookie(latin1: $0) }.compactMap {
      CookieRules.cookie(from: $0, at: scope, existing: secure, now: Date(), isPublic: PublicSuffix.isPublic)
    }
    let cookies = taken.compactMap { StoredCookie($0) }
    if !cookies.isEmpty { setCookies(cookies, for: url, mainDocumentURL: mainDocument) }
  }

  /// Removes all cookies; `then` is called on a queue.
  func empty(then: @escaping @Sendable () -> Void) {
    store.queue.async {
      self.removeCookies(since: .distantPast)
      then()
    }
  }
}
