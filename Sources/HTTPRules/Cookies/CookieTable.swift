// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The cookies of one store by the domains that they are for: which go with a request, which come with a response, which have to
/// make room. Pure.
///
/// A request looks at the cookies of its host and of the domains that the host lies in, however many others there are.
package struct CookieTable: Sendable {
  /// Cookies with the same key are the same cookie at different times (RFC 6265 section 5.3, step 11).
  package struct Key: Hashable, Sendable {
    package var name: String
    package var domain: String
    package var path: String
    package var isHostOnly: Bool

    package init(_ facts: CookieFacts) {
      (name, domain, path, isHostOnly) = (facts.name, facts.domain, facts.path, facts.isHostOnly)
    }
  }

  /// A cookie and how recently it was used; larger is later.
  package struct Entry: Hashable, Sendable {
    package var facts: CookieFacts
    package var lastUse: UInt64

    package init(_ facts: CookieFacts, lastUse: UInt64) {
      self.facts = facts
      self.lastUse = lastUse
    }
  }

  /// The changes to a store.
  package struct Changes: Equatable, Sendable {
    /// In the order in which they came.
    package var store: [Entry] = []
    package var remove: [CookieFacts] = []

    package init(store: [Entry] = [], remove: [CookieFacts] = []) {
      (self.store, self.remove) = (store, remove)
    }

    package var isEmpty: Bool { store.isEmpty && remove.isEmpty }
  }

  /// Set-Cookie fields of one response that are looked at.
  package static let fieldLimit = 500
  /// How far above `CookieRules.limit` a store may grow before room is made down to that.
  static let slack = 300

  private var crowds: [String: [Key: Entry]] = [:]
  /// Domains of secure cookies, and how many each has.
  private var secureDomains: [String: Int] = [:]
  /// How many cookies there are, expired ones among them.
  package private(set) var count = 0

  /// A table of these.
  package init(_ entries: some Sequence<Entry> = []) {
    for entry in entries { put(entry) }
  }

  package var isEmpty: Bool { count == 0 }

  /// All of them, in no order.
  package var entries: some Collection<Entry> { crowds.values.flatMap(\.values) }

  package func entry(_ key: Key) -> Entry? { crowds[key.domain]?[key] }

  // MARK: One cookie

  /// Puts it in the place of the one with the same key.
  package mutating func put(_ entry: Entry) {
    let old = crowds[entry.facts.domain, default: [:]].updateValue(entry, forKey: Key(entry.facts))
    if old == nil { count += 1 }
    countSecure(entry.facts, 1)
    if let old { countSecure(old.facts, -1) }
  }

  /// Takes it out, and answers what it was.
  @discardableResult
  package mutating func remove(_ key: Key) -> Entry? {
    guard let old = crowds[key.domain]?.removeValue(forKey: key) else { return nil }
    if crowds[key.domain]?.isEmpty == true { crowds[key.domain] = nil }
    count -= 1
    countSecure(old.facts, -1)
    return old
  }

  private mutating func countSecure(_ facts: CookieFacts, _ change: Int) {
    guard facts.isSecure else { return }
    let sum = secureDomains[facts.domain, default: 0] + change
    secureDomains[facts.domain] = sum > 0 ? sum : nil
  }

  // MARK: Requests

  /// Those that go with a request to `scope`, in no order.
  package func matching(_ scope: CookieScope, at now: Date) -> [Entry] {
    var found: [Entry] = []
    eachDomain(of: scope.host) { domain in
      for entry in crowds[domain]?.values ?? [:].values where entry.facts.goes(to: scope, at: now) {
        found.append(entry)
      }
    }
    return found
  }

  /// Notes that those were used.
  package mutating func use(_ entries: [Entry], tick: UInt64) {
    for entry in entries { crowds[entry.facts.domain]?[Key(entry.facts)]?.lastUse = tick }
  }

  /// The host and each domain that it may lie in.
  private func eachDomain(of host: String, _ body: (String) -> Void) {
    body(host)
    guard !CookieScope.isAddress(host) else { return }
    var rest = host[...]
    while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
      rest = rest[rest.index(after: dot)...]
      body(String(rest))
    }
  }

  // MARK: Responses

  /// Takes in what a response sets and answers what changes. `tick` is the use that this is; later fields count as used
  /// later.
  package mutating func receive(
    _ cookies: [SetCookie], at scope: CookieScope, now: Date, tick: UInt64, isPublic: (String) -> Bool
  ) -> Changes {
    var before: [Key: Entry?] = [:]
    for (offset, new) in cookies.prefix(Self.fieldLimit).enumerated() {
      guard
        var cookie = CookieRules.cookie(from: new, at: scope, existing: secureFacts, now: now, isPublic: isPublic)
      else { continue }
      let key = Key(cookie)
      // A cookie that replaces another keeps its age, and with it its place in the Cookie field. Those of one response come
      // one after the other (RFC 6265 section 5.4, step 2).
      cookie.created = entry(key)?.facts.created ?? now + Double(offset) * 1e-6
      if before[key] == nil { before[key] = .some(entry(key)) }
      put(Entry(cookie, lastUse: tick + UInt64(offset)))
    }
    for domain in Set(before.keys.map(\.domain)) {
      for (key, entry) in crowds[domain] ?? [:] where entry.facts.hasExpired(at: now) { drop(key, &before) }
      let crowd = crowds[domain] ?? [:]
      drop(crowd.count - CookieRules.limitPerDomain, of: Array(crowd), &before)
    }
    if count > CookieRules.limit + Self.slack {
      drop(count - CookieRules.limit, of: crowds.values.flatMap { Array($0) }, &before)
    }
    return changes(since: before)
  }

  /// The secure cookies, which a plain response may not hide; looked for only where one might.
  private var secureFacts: some Sequence<CookieFacts> {
    secureDomains.keys.lazy.flatMap { (crowds[$0] ?? [:]).values.lazy.map(\.facts).filter(\.isSecure) }
  }

  private mutating func drop(_ key: Key, _ before: inout [Key: Entry?]) {
    let old = remove(key)
    if before[key] == nil { before[key] = .some(old) }
  }

  /// RFC 6265 section 5.3 as RFC 6265bis has it: the domain's excess goes first, then that of all; least used first.
  private mutating func drop(_ count: Int, of crowd: [(key: Key, value: Entry)], _ before: inout [Key: Entry?]) {
    guard count > 0 else { return }
    let order = crowd.sorted {
      ($0.value.lastUse, $0.value.facts.created, $0.key.name) < ($1.value.lastUse, $1.value.facts.created, $1.key.name)
    }
    for (key, _) in order.prefix(count) { drop(key, &before) }
  }

  private func changes(since before: [Key: Entry?]) -> Changes {
    var changes = Changes()
    for (key, old) in before {
      if let new = entry(key) {
        if new.facts != old?.facts { changes.store.append(new) }
      } else if let old {
        changes.remove.append(old.facts)
      }
    }
    changes.store.sort { $0.lastUse < $1.lastUse }
    return changes
  }
}
