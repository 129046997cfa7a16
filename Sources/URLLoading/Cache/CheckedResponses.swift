// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules

/// Stored responses whose records were read and checked before. Pure.
///
/// Reading a record and checking its digest takes several times as long as finding the response. The toolchain's cache
/// answers with the same object as long as it has it in memory, and such an object never changes. What it reads from a disk is a
/// new object each time, which is checked.
struct CheckedResponses {
  /// Responses that are known at a time.
  static let countLimit = 64

  private struct Entry {
    /// Weak: what the toolchain's cache gives up is free.
    weak var cached: CachedURLResponse?
    let response: HTTPURLResponse
    let fields: [String: String]
    let facts: CacheRules.Stored
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  /// What was found out about this object; nil where it was not seen before.
  func found(in cached: CachedURLResponse) -> CacheStore.Found? {
    guard let entry = entries[ObjectIdentifier(cached)], entry.cached === cached else { return nil }
    return CacheStore.Found(cached: cached, response: entry.response, fields: entry.fields, facts: entry.facts)
  }

  /// Takes what was found out.
  mutating func add(_ found: CacheStore.Found) {
    if entries.count >= Self.countLimit { entries = entries.filter { $0.value.cached != nil } }
    if entries.count >= Self.countLimit { entries.removeAll(keepingCapacity: true) }
    entries[ObjectIdentifier(found.cached)] = Entry(
      cached: found.cached, response: found.response, fields: found.fields, facts: found.facts)
  }
}
