// SPDX-License-Identifier: Apache-2.0

/// What a cache holds, by resource and by what Vary names, with sizes: the least recently used gives way. Pure.
///
/// A resource is a digest of method and URL. Two URLs may share one: the caller compares the key of what it finds.
package struct CacheIndex<Value> {
  package struct Entry {
    package var value: Value
    /// For each name in Vary a digest of the request's value.
    package var selectors: [String: UInt64]
    /// Bytes that count against the capacity.
    package var size: Int
    /// Milliseconds since 1970 when it was stored.
    package var stored: Int64
    fileprivate var lastUse: UInt64 = 0

    package init(_ value: Value, selectors: [String: UInt64], size: Int, stored: Int64) {
      (self.value, self.selectors, self.size, self.stored) = (value, selectors, size, stored)
    }
  }

  /// Entries of one resource at most: a server may name any field in Vary.
  package static var limitPerResource: Int { 16 }

  private var resources: [UInt64: [Entry]] = [:]
  /// Bytes of all entries.
  package private(set) var size = 0
  package private(set) var count = 0
  private var lastUse: UInt64 = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// All entries with their resources, the least recently used first.
  package var entries: [(resource: UInt64, entry: Entry)] {
    resources.flatMap { resource, entries in entries.map { (resource, $0) } }
      .sorted { $0.1.lastUse < $1.1.lastUse }
  }

  /// Puts an entry in the place of the one with the same selectors. Answers what had to go for it.
  package mutating func put(_ entry: Entry, for resource: UInt64) -> [Entry] {
    var gone = take(from: resource) { $0.selectors == entry.selectors }
    if let oldest = resources[resource]?.min(by: { $0.lastUse < $1.lastUse })?.lastUse,
      resources[resource]?.count ?? 0 >= Self.limitPerResource
    {
      gone += take(from: resource) { $0.lastUse == oldest }
    }
    lastUse += 1
    var entry = entry
    entry.lastUse = lastUse
    resources[resource, default: []].append(entry)
    (size, count) = (size + entry.size, count + 1)
    return gone
  }

  /// The entry of a resource that was stored last among those whose selectors match, which is used by that.
  package mutating func use(_ resource: UInt64, where matches: ([String: UInt64]) -> Bool) -> Entry? {
    guard let entries = resources[resource],
      let place = entries.indices.filter({ matches(entries[$0].selectors) }).max(by: {
        (entries[$0].stored, entries[$0].lastUse) < (entries[$1].stored, entries[$1].lastUse)
      })
    else { return nil }
    lastUse += 1
    resources[resource]?[place].lastUse = lastUse
    return entries[place]
  }

  /// Takes out what `isUnwanted` says of a resource, and answers it.
  package mutating func take(from resource: UInt64, where isUnwanted: (Entry) -> Bool = { _ in true }) -> [Entry] {
    guard let entries = resources[resource] else { return [] }
    let gone = entries.filter(isUnwanted)
    guard !gone.isEmpty else { return [] }
    let left = entries.filter { !isUnwanted($0) }
    resources[resource] = left.isEmpty ? nil : left
    (size, count) = (gone.reduce(size) { $0 - $1.size }, count - gone.count)
    return gone
  }

  /// Takes out what was stored at `date` or later, in milliseconds since 1970.
  package mutating func takeAll(since date: Int64) -> [Entry] {
    resources.keys.flatMap { take(from: $0) { $0.stored >= date } }
  }

  /// Makes room where the entries are larger than `capacity`: down to nine tenths of it, so that room is made seldom. What was put or
  /// used last stays as long as it fits.
  package mutating func shrink(to capacity: Int) -> [Entry] {
    guard size > capacity else { return [] }
    var gone: [Entry] = []
    for (resource, entry) in entries where size > (entry.lastUse == lastUse ? capacity : capacity / 10 * 9) {
      gone += take(from: resource) { $0.lastUse == entry.lastUse }
    }
    return gone
  }
}

extension CacheIndex.Entry: Sendable where Value: Sendable {}
