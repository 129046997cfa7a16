// SPDX-License-Identifier: Apache-2.0

/// The contents of a cache, by resource and by what Vary names, with sizes: the least recently used gives way. Pure.
///
/// A resource is a digest of method and URL. Two URLs may share one: the caller compares the key of what it finds.
/// It lies in the module of its values, so that it is compiled for them: generic code of another module asks the runtime for the
/// type of an entry dozens of times for each response.
struct CacheIndex<Value> {
  struct Entry {
    var value: Value
    /// For each name in Vary a digest of the request's value.
    var selectors: [String: UInt64]
    /// Bytes that count against the capacity.
    var size: Int
    /// Milliseconds since 1970 when it was stored.
    var stored: Int64
    fileprivate var lastUse: UInt64 = 0

    init(_ value: Value, selectors: [String: UInt64], size: Int, stored: Int64) {
      (self.value, self.selectors, self.size, self.stored) = (value, selectors, size, stored)
    }
  }

  /// Entries of one resource at most: a server may name any field in Vary.
  static var limitPerResource: Int { 16 }

  private var resources: [UInt64: [Entry]] = [:]
  private var total = (size: 0, count: 0)
  private var lastUse: UInt64 = 0

  init() {}

  /// Bytes of all entries.
  var size: Int { total.size }
  var count: Int { total.count }
  var isEmpty: Bool { count == 0 }

  /// All entries with their resources, the least recently used first.
  var entries: [(resource: UInt64, entry: Entry)] {
    resources.flatMap { resource, entries in entries.map { (resource, $0) } }
      .sorted { $0.1.lastUse < $1.1.lastUse }
  }

  /// Puts an entry in the place of the one with the same selectors. Answers what had to go for it.
  mutating func put(_ entry: Entry, for resource: UInt64) -> Entry? {
    lastUse += 1
    var entry = entry
    entry.lastUse = lastUse
    total = (size + entry.size, count + 1)
    let selectors = entry.selectors
    let present = resources[resource] ?? []
    let displaced =
      present.firstIndex { $0.selectors == selectors }
      ?? (present.count < Self.limitPerResource ? nil : Self.oldest(of: present))
    guard let displaced else {
      resources[resource, default: []].append(entry)
      return nil
    }
    resources[resource]?[displaced] = entry
    total = (size - present[displaced].size, count - 1)
    return present[displaced]
  }

  private static func oldest(of entries: [Entry]) -> Int? {
    entries.indices.min { entries[$0].lastUse < entries[$1].lastUse }
  }

  /// The entry of a resource that was stored last among those whose selectors match, which is used by that.
  mutating func use(_ resource: UInt64, where matches: ([String: UInt64]) -> Bool) -> Entry? {
    guard let entries = resources[resource] else { return nil }
    var place: Int?
    for index in entries.indices where matches(entries[index].selectors) {
      guard let best = place else {
        place = index
        continue
      }
      let (one, other) = (entries[best], entries[index])
      if (one.stored, one.lastUse) < (other.stored, other.lastUse) { place = index }
    }
    guard let place else { return nil }
    lastUse += 1
    resources[resource]?[place].lastUse = lastUse
    return entries[place]
  }

  /// The entry with these selectors; looking at it is no use of it.
  func entry(of resource: UInt64, _ selectors: [String: UInt64]) -> Entry? {
    resources[resource]?.first { $0.selectors == selectors }
  }

  /// Takes out what `isUnwanted` says of a resource, and answers it.
  mutating func take(from resource: UInt64, where isUnwanted: (Entry) -> Bool = { _ in true }) -> [Entry] {
    guard let entries = resources[resource] else { return [] }
    let gone = entries.filter(isUnwanted)
    guard !gone.isEmpty else { return [] }
    let left = entries.filter { !isUnwanted($0) }
    resources[resource] = left.isEmpty ? nil : left
    for entry in gone { total = (size - entry.size, count - 1) }
    return gone
  }

  /// Takes out what was stored at `date` or later, in milliseconds since 1970.
  mutating func takeAll(since date: Int64) -> [Entry] {
    resources.keys.flatMap { take(from: $0) { $0.stored >= date } }
  }

  /// Makes room where the entries are larger than `capacity`: down to nine tenths of it, so that room is made seldom. What was put or
  /// used last stays as long as it fits.
  mutating func shrink(to capacity: Int) -> [Entry] {
    guard size > capacity else { return [] }
    var gone: [Entry] = []
    for (resource, entry) in entries where size > (entry.lastUse == lastUse ? capacity : capacity / 10 * 9) {
      gone += take(from: resource) { $0.lastUse == entry.lastUse }
    }
    return gone
  }
}

extension CacheIndex.Entry: Sendable where Value: Sendable {}
