// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import HTTPRules
import Locking
import Transport

/// A cache of the toolchain's, used by our rules, on a queue of its own: it reads folders and files.
///
/// The toolchain's key is host, port and path; so what is found is checked by URL, and by a digest of all that was stored.
/// One store serves all users of one cache.
package final class CacheStore: Sendable {
  /// A response found in the cache.
  struct Found: Sendable {
    var cached: CachedURLResponse
    var response: HTTPURLResponse
    /// The header fields of `response`.
    var fields: [String: String]
    var facts: CacheRules.Stored
  }

  private let cache: URLCache
  /// The same, where it is one that knows whether it is empty.
  private let privateCache: PrivateCache?
  private let files: CacheFiles?
  private let queue = DispatchQueue(label: "URLLoading.cache")
  /// URLs for which nothing was found a moment ago. A cache with a disk lists its folder to find out that it has
  /// nothing; most requests ask for what is never stored.
  private let missing = Locked<[String: ContinuousClock.Instant]>([:])
  /// How many loads of a URL wait for the queue.
  private let lines = Locked<[String: Int]>([:])
  /// Responses that are about to be stored.
  private let waiting = Locked(WaitingResponses())
  private let checked = Locked(CheckedResponses())
  private static let memory = Duration.seconds(1)
  private static let memoryLimit = 4096

  private struct Known {
    weak var store: CacheStore?
  }

  private static let all = Locked<[ObjectIdentifier: Known]>([:])

  private init(_ cache: URLCache) {
    self.cache = cache
    privateCache = cache as? PrivateCache
    files = CacheFiles(cache)
    if let files { queue.async { files.tidyUp() } }
  }

  /// The store over `cache`.
  package static func over(_ cache: URLCache) -> CacheStore {
    all.withLock { all in
      if let store = all[ObjectIdentifier(cache)]?.store { return store }
      let store = CacheStore(cache)
      all = all.filter { $0.value.store != nil }
      all[ObjectIdentifier(cache)] = Known(store: store)
      return store
    }
  }

  /// Whether this is the store over `cache`.
  func isOver(_ cache: URLCache) -> Bool { self.cache === cache }

  /// The largest body that is stored, in bytes.
  var sizeLimit: Int { CacheRules.sizeLimit(memory: cache.memoryCapacity, disk: cache.diskCapacity) }

  /// The same for a response that is used so: one that stays in memory has a share of the memory alone.
  func sizeLimit(for use: CacheRules.Use) -> Int {
    policy(for: use) == .allowed ? sizeLimit : CacheRules.sizeLimit(memory: cache.memoryCapacity, disk: 0)
  }

  /// A URL as a key: absolute, without fragment.
  static func key(_ url: URL) -> String {
    let text = url.absoluteString
    let bytes = text.utf8.span
    for index in bytes.indices where bytes[index] == UInt8(ascii: "#") {
      return String(text.utf8.prefix(index)) ?? text
    }
    return text
  }

  /// Whether it is worth asking for this URL.
  func mayHold(_ key: String) -> Bool {
    if let privateCache, !privateCache.isUsed { return false }
    return missing.withLock { $0[key] }.map { ContinuousClock.now - $0 > Self.memory } ?? true
  }

  /// Looks up what is stored under a URL; `then` is called on a queue, and has to have `leaveLine(_:)` called with the URL's key.
  func find(_ url: URL, then: @escaping @Sendable (Found?) -> Void) { find(url, Self.key(url), then: then) }

  private func find(_ url: URL, _ key: String, then: @escaping @Sendable (Found?) -> Void) {
    standInLine(key)
    queue.async { [self] in
      if let waiting = waiting.withLock({ $0.take(key) }) { store(waiting) }
      let found = lookUpAny(like: url).flatMap { $0.facts.url == key ? $0 : nil }
      if found == nil { noteMissing(key) }
      then(found)
    }
  }

  /// Whether loads of a URL wait for what was asked here.
  func isAwaited(by url: URL) -> Bool {
    lines.withLock { !$0.isEmpty && $0[Self.key(url)] != nil }
  }

  /// The same for a load: `then` is called on the I/O thread, where the load leaves the line.
  func find(_ url: URL, on transport: Transport, then: @escaping @Sendable (Found?) -> Void) {
    let key = Self.key(url)
    find(url, key) { [self] found in
      transport.perform {
        self.leaveLine(key)
        then(found)
      }
    }
  }

  /// Calls `then` on the I/O thread, behind all that was asked before.
  func waitInLine(_ url: URL, on transport: Transport, then: @escaping @Sendable () -> Void) {
    let key = Self.key(url)
    standInLine(key)
    queue.async { [self] in
      transport.perform {
        self.leaveLine(key)
        then()
      }
    }
  }

  private func standInLine(_ key: String) {
    lines.withLock { $0[key, default: 0] += 1 }
  }

  /// A load of a URL has its result and leaves the line.
  func leaveLine(_ key: String) {
    lines.withLock { lines in
      let left = (lines[key] ?? 1) - 1
      lines[key] = left > 0 ? left : nil
    }
  }

  /// Stores a response with its record under a URL; `then` is called on a queue.
  func keep(
    _ cached: CachedURLResponse, _ record: CacheRecord, for url: URL, then: @escaping @Sendable () -> Void
  ) {
    privateCache?.noteUse()
    waiting.withLock { $0.drop(Self.key(url)) }
    queue.async { [self] in
      put(cached, record, url)
      missing.withLock { $0[Self.key(url)] = nil }
      then()
    }
  }

  private func put(_ cached: CachedURLResponse, _ record: CacheRecord, _ url: URL) {
    var record = record
    record.digest = record.digest(of: cached)
    let complete = CachedURLResponse(
      response: cached.response, data: cached.data, userInfo: record.added(to: cached.userInfo),
      storagePolicy: cached.storagePolicy)
    let request = URLRequest(url: url)
    // What is stored under the same key may lie on disk where this one is for memory alone; and the toolchain's cache ends the
    // process as it makes room, once it has stored twice under a key (`evictFromMemoryCacheAssumingLockHeld`).
    cache.removeCachedResponse(for: request)
    cache.storeCachedResponse(complete, for: request)
    if complete.storagePolicy == .allowed { files?.seal(url) }
  }

  /// Forgets what is stored under these URLs; `then` is called on a queue.
  func remove(_ urls: [URL], then: @escaping @Sendable () -> Void = {}) {
    waiting.withLock { waiting in for url in urls { waiting.drop(Self.key(url)) } }
    queue.async { [cache] in
      for url in urls { cache.removeCachedResponse(for: URLRequest(url: url)) }
      then()
    }
  }

  /// Removes all responses; `then` is called on a queue.
  func empty(then: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.dropAll() }
    queue.async { [cache] in
      cache.removeAllCachedResponses()
      then()
    }
  }

  /// What is stored under the toolchain's key of this URL, perhaps that of another one.
  private func lookUpAny(like url: URL) -> Found? {
    files?.check(url)
    guard let cached = cache.cachedResponse(for: URLRequest(url: url)) else { return nil }
    if let found = checked.withLock({ $0.found(in: cached) }) { return found }
    guard let response = cached.response as? HTTPURLResponse, let own = response.url else { return nil }
    let record = CacheRecord(userInfo: cached.userInfo)
    if let record, record.digest != record.digest(of: cached) {
      cache.removeCachedResponse(for: URLRequest(url: url))
      return nil
    }
    let fields = response.fields
    let found = Found(
      cached: cached, response: response, fields: fields,
      facts: CacheRules.Stored(
        url: Self.key(own), status: response.statusCode, fields: CacheFields(fields), provenance: record?.provenance))
    checked.withLock { $0.add(found) }
    return found
  }

  /// What is of no use to the protocol's policy counts as missing to it.
  func noteUse(of found: Found) {
    if !Self.isOfUseAgain(found) { noteMissing(found.facts.url) }
  }

  private func noteMissing(_ key: String) {
    missing.withLock { missing in
      if missing.count >= Self.memoryLimit { missing.removeAll(keepingCapacity: true) }
      missing[key] = .now
    }
  }
}

// MARK: - What is stored beside the loads

extension CacheStore {
  /// Takes a response that is stored under `key(_:)` of its URL as soon as there is time for it; any thread. Returns after which
  /// time the caller has to call `storeWaiting()`; nil for not at all.
  func keepLater(_ response: ResponseToStore, _ key: String) -> Duration? {
    privateCache?.noteUse()
    return waiting.withLock { $0.add(response, key, now: .now) }
  }

  /// Stores what waits, on the queue: as much as a turn has time for, and the rest in the turns to come.
  func storeWaiting() {
    queue.async { self.takeTurn() }
  }

  /// How long a turn may keep those waiting that look something up. On a disk with some hundred files, the toolchain's cache
  /// takes milliseconds for each response.
  private static let turn = Duration.milliseconds(10)

  private func takeTurn() {
    let end = ContinuousClock.now + Self.turn
    while ContinuousClock.now < end, let response = waiting.withLock({ $0.take() }) { store(response) }
    if waiting.withLock({ $0.turnEnded(now: .now) }) {
      // An alarm of the I/O thread costs no timer of the queue's, which would start two threads.
      Transport.after(WaitingResponses.pause) { self.storeWaiting() }
    }
  }

  /// Where a response is proposed to be stored. The toolchain's cache takes a hundred milliseconds to write a file beside
  /// some hundred others, so one that the protocol's policy never uses stays in memory.
  func policy(for use: CacheRules.Use) -> URLCache.StoragePolicy {
    use == .atAnyAge && files != nil ? .allowedInMemoryOnly : .allowed
  }

  private func store(_ response: ResponseToStore) {
    guard !displacesMore(response.url), let cached = response.cached(policy(for: .atAnyAge)) else { return }
    put(cached, response.record, response.url)
  }

  /// One that no request of the protocol's policy will use displaces none that such a request of another URL may use.
  private func displacesMore(_ url: URL) -> Bool {
    guard let other = lookUpAny(like: url), other.facts.url != Self.key(url) else { return false }
    return Self.isOfUseAgain(other)
  }

  /// Whether the protocol's policy may use it, at least after asking the server.
  private static func isOfUseAgain(_ found: Found) -> Bool {
    CacheRules.isOfUseAgain(found.facts.status, found.facts.fields, now: CacheExchange.now)
  }
}

extension HTTPURLResponse {
  /// The header fields as what they are.
  var fields: [String: String] {
    allHeaderFields.reduce(into: [:]) { $0["\($1.key.base)"] = "\($1.value)" }
  }
}
