// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
package import FoundationNetworking
import HTTPRules
import Synchronization

/// A store of the toolchain's, used by our rules: what goes with a request, what a response may set.
///
/// The store is a container only. Its own matching sends secure cookies in the clear and takes no notice of paths, and
/// its parser ends the process on hostile bytes (api-facts L.2, faults 0.2). The shared one writes its file to the disk's
/// platter for every cookie, and a reader waits meanwhile. So cookies are stored on a queue, and read on the
/// caller's thread only while nothing is being stored.
package final class CookieJar: Sendable {
  private let store: LaterStore<HTTPCookieStorage>
  /// Counts uses of cookies in all stores, so that sessions which share a store agree on what was used last.
  private static let ticks = Atomic<UInt64>(1)

  /// A jar over `storage`, which others may use and change meanwhile.
  package init(_ storage: HTTPCookieStorage) {
    store = LaterStore(storage)
  }

  init(_ store: LaterStore<HTTPCookieStorage>) {
    self.store = store
  }

  /// Stores in order, for all jars: several may have the same store.
  private static let queue = DispatchQueue(label: "URLLoading.cookies")
  private static let unfinished = Atomic<Int>(0)

  /// Whether cookies are being stored, so that reading a store may take long.
  package static var isStoring: Bool { unfinished.load(ordering: .acquiring) > 0 }

  /// Finds what `field(for:at:)` answers after all that was received before; `then` is called on a queue.
  package func find(for url: URL, then: @escaping @Sendable (String?) -> Void) {
    Self.queue.async { [self] in then(field(for: url)) }
  }

  /// Keeps what a response sets; `then` is called on a queue when it is stored. The parameters are those of
  /// `receive(_:from:mainDocument:policy:at:)`.
  package func keep(
    _ fields: [String], from url: URL, mainDocument: URL?, policy: HTTPCookie.AcceptPolicy?,
    then: @escaping @Sendable () -> Void
  ) {
    Self.unfinished.add(1, ordering: .acquiringAndReleasing)
    Self.queue.async { [self] in
      receive(fields, from: url, mainDocument: mainDocument, policy: policy)
      Self.unfinished.subtract(1, ordering: .acquiringAndReleasing)
      then()
    }
  }

  /// Removes all cookies; `then` is called on a queue.
  func empty(then: @escaping @Sendable () -> Void) {
    Self.unfinished.add(1, ordering: .acquiringAndReleasing)
    Self.queue.async { [self] in
      let storage = store.storeToRead
      for cookie in storage?.cookies ?? [] { storage?.deleteCookie(cookie) }
      Self.unfinished.subtract(1, ordering: .acquiringAndReleasing)
      then()
    }
  }

  /// The value of the Cookie field for a request to `url`; nil for none.
  package func field(for url: URL, at now: @autoclosure () -> Date = Date()) -> String? {
    let chosen = chosen(for: url, at: now())
    for (cookie, _) in chosen { (cookie as? StoredCookie)?.lastUse.store(Self.nextTick(), ordering: .relaxed) }
    return CookieFacts.field(of: chosen.map(\.facts))
  }

  /// The cookies that go with a request to `url`, in no order.
  package func cookies(for url: URL, at now: Date = Date()) -> [HTTPCookie] { chosen(for: url, at: now).map(\.cookie) }

  private func chosen(for url: URL, at now: @autoclosure () -> Date) -> [(cookie: HTTPCookie, facts: CookieFacts)] {
    guard let cookies = store.storeToRead?.cookies, !cookies.isEmpty, let scope = CookieScope(url) else { return [] }
    let now = now()
    return cookies.lazy.map { ($0, CookieFacts($0)) }.filter { $0.1.goes(to: scope, at: now) }
  }

  /// Stores what a response to a request for `url` sets.
  ///
  /// - Parameters:
  ///   - fields: the values of its Set-Cookie fields, one cookie each.
  ///   - url: the request's.
  ///   - mainDocument: the request's `mainDocumentURL`.
  ///   - policy: whose cookies are taken; nil for the store's own.
  ///   - now: the time.
  package func receive(
    _ fields: [String], from url: URL, mainDocument: URL?, policy: HTTPCookie.AcceptPolicy?, at now: Date = Date()
  ) {
    guard let storage = store.store, let scope = CookieScope(url),
      CookieRules.accepts(policy ?? storage.cookieAcceptPolicy, from: scope, mainDocument: mainDocument)
    else { return }
    let stored = storage.cookies ?? []
    var shelf = CookieShelf(
      stored.map { cookie in
        let lastUse = (cookie as? StoredCookie)?.lastUse.load(ordering: .relaxed)
        return CookieShelf.Entry(CookieFacts(cookie), lastUse: lastUse ?? 0)
      })
    let cookies = fields.prefix(CookieShelf.fieldLimit).compactMap { SetCookie(latin1: $0) }
    let tick = Self.nextTick(cookies.count)
    let changes = shelf.receive(cookies, at: scope, now: now, tick: tick, isPublic: PublicSuffix.isPublic)
    for facts in changes.remove {
      if let cookie = StoredCookie(facts, lastUse: 0) { storage.deleteCookie(cookie) }
    }
    for entry in changes.store {
      if let cookie = StoredCookie(entry.facts, lastUse: entry.lastUse) { storage.setCookie(cookie) }
    }
    if changes != CookieShelf.Changes() { CookieFile.protect() }
  }

  /// The first of so many new ticks.
  private static func nextTick(_ count: Int = 1) -> UInt64 {
    ticks.wrappingAdd(UInt64(max(1, count)), ordering: .relaxed).oldValue
  }
}
