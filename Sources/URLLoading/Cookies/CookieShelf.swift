// SPDX-License-Identifier: Apache-2.0
import Foundation
package import HTTPRules

/// The cookies of one store while a response changes them: which come, which go, which have to make room. Pure.
package struct CookieShelf {
  /// A cookie and how recently it was used; larger is later.
  package struct Entry: Hashable, Sendable {
    package var facts: CookieFacts
    package var lastUse: UInt64

    package init(_ facts: CookieFacts, lastUse: UInt64) {
      self.facts = facts
      self.lastUse = lastUse
    }
  }

  /// What has to be done to the store.
  package struct Changes: Equatable {
    /// In the order in which they came.
    package var store: [Entry] = []
    package var remove: [CookieFacts] = []
  }

  /// Set-Cookie fields of one response that are looked at.
  package static let fieldLimit = 500

  /// Cookies with the same key are the same cookie at different times (RFC 6265 section 5.3, step 11).
  private struct Key: Hashable {
    var name: String
    var domain: String
    var path: String
    var isHostOnly: Bool

    init(_ facts: CookieFacts) {
      (name, domain, path, isHostOnly) = (facts.name, facts.domain, facts.path, facts.isHostOnly)
    }
  }

  private let before: [Key: Entry]
  private var entries: [Key: Entry]

  /// A shelf with the cookies there are.
  package init(_ entries: [Entry]) {
    before = Dictionary(entries.map { (Key($0.facts), $0) }) { _, last in last }
    self.entries = before
  }

  /// Takes in what a response sets and answers what changes. `tick` is the use that this is; later fields count as used
  /// later.
  package mutating func receive(
    _ cookies: [SetCookie], at scope: CookieScope, now: Date, tick: UInt64, isPublic: (String) -> Bool
  ) -> Changes {
    for (offset, new) in cookies.prefix(Self.fieldLimit).enumerated() {
      let secure = entries.values.lazy.map(\.facts).filter(\.isSecure)
      guard
        var cookie = CookieRules.cookie(from: new, at: scope, existing: secure, now: now, isPublic: isPublic)
      else { continue }
      let key = Key(cookie)
      // A cookie that replaces another keeps its age, and with it its place in the Cookie field. Those of one response come
      // one after the other (RFC 6265 section 5.4, step 2).
      cookie.created = entries[key]?.facts.created ?? now + Double(offset) * 1e-6
      entries[key] = Entry(cookie, lastUse: tick + UInt64(offset))
    }
    removeExpired(at: now)
    makeRoom()
    return changes
  }

  private mutating func removeExpired(at now: Date) {
    entries = entries.filter { !$0.value.facts.hasExpired(at: now) }
  }

  /// RFC 6265 section 5.3 as RFC 6265bis has it: the domain's excess goes first, then that of all; least used first.
  private mutating func makeRoom() {
    guard entries.count > CookieRules.limitPerDomain else { return }
    for crowd in Dictionary(grouping: entries, by: \.value.facts.domain).values {
      drop(crowd.count - CookieRules.limitPerDomain, of: crowd.map { ($0.key, $0.value) })
    }
    drop(entries.count - CookieRules.limit, of: entries.map { ($0.key, $0.value) })
  }

  private mutating func drop(_ count: Int, of crowd: [(Key, Entry)]) {
    guard count > 0 else { return }
    let order = crowd.sorted {
      ($0.1.lastUse, $0.1.facts.created, $0.0.name) < ($1.1.lastUse, $1.1.facts.created, $1.0.name)
    }
    for (key, _) in order.prefix(count) { entries[key] = nil }
  }

  private var changes: Changes {
    Changes(
      store: entries.filter { before[$0.key]?.facts != $0.value.facts }.values.sorted { $0.lastUse < $1.lastUse },
      remove: before.filter { entries[$0.key] == nil }.map(\.value.facts))
  }
}
