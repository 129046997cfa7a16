// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import Locking

/// A cache of the toolchain's, used by our rules, on a queue of its own: it reads folders and files.
///
/// The toolchain's key is host, port and path; so what is found is checked by URL, and by a digest of all that was stored.
/// One store serves all who use the same cache.
package final class CacheStore: Sendable {
  /// A response found in the cache.
  struct Found: Sendable {
    var cached: CachedURLResponse
    var response: HTTPURLResponse
    var facts: CacheRules.Stored
  }

  private let cache: URLCache
  private let files: CacheFiles?
  private let queue = DispatchQueue(label: "URLLoading.cache")
  /// URLs for which nothing was found a moment ago. A cache with a disk lists its folder to find out that it has
  /// nothing; most requests ask for what is never stored.
  private let missing = Locked<[String: ContinuousClock.Instant]>([:])
  private static let memory = Duration.seconds(1)
  private static let memoryLimit = 4096

  private struct Known {
    weak var store: CacheStore?
  }

  private static let all = Locked<[ObjectIdentifier: Known]>([:])

  private init(_ cache: URLCache) {
    self.cache = cache
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
    missing.withLock { $0[key] }.map { ContinuousClock.now - $0 > Self.memory } ?? true
  }

  /// Looks up what is stored under a URL; `then` is called on a queue.
  func find(_ url: URL, then: @escaping @Sendable (Found?) -> Void) {
    queue.async { [self] in
      let found = lookUp(url)
      if found == nil { noteMissing(Self.key(url)) }
      then(found)
    }
  }

  /// Stores a response with its record under a URL; `then` is called on a queue.
  func keep(_ cached: CachedURLResponse, _ record: CacheRecord, for url: URL, then: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      var record = record
      record.digest = record.digest(of: cached)
      let complete = CachedURLResponse(
        response: cached.response, data: cached.data, userInfo: record.added(to: cached.userInfo),
        storagePolicy: cached.storagePolicy)
      let request = URLRequest(url: url)
      // What is stored under the same key may lie on disk where this one is for memory alone.
      cache.removeCachedResponse(for: request)
      cache.storeCachedResponse(complete, for: request)
      if complete.storagePolicy == .allowed { files?.seal(url) }
      missing.withLock { $0[Self.key(url)] = nil }
      then()
    }
  }

  /// Forgets what is stored under these URLs; `then` is called on a queue.
  func remove(_ urls: [URL], then: @escaping @Sendable () -> Void = {}) {
    queue.async { [cache] in
      for url in urls { cache.removeCachedResponse(for: URLRequest(url: url)) }
      then()
    }
  }

  /// Removes all responses; `then` is called on a queue.
  func empty(then: @escaping @Sendable () -> Void) {
    queue.async { [cache] in
      cache.removeAllCachedResponses()
      then()
    }
  }

  private func lookUp(_ url: URL) -> Found? {
    files?.check(url)
    guard let cached = cache.cachedResponse(for: URLRequest(url: url)),
      let response = cached.response as? HTTPURLResponse, let own = response.url, Self.key(own) == Self.key(url)
    else { return nil }
    let record = CacheRecord(userInfo: cached.userInfo)
    if let record, record.digest != record.digest(of: cached) {
      cache.removeCachedResponse(for: URLRequest(url: url))
      return nil
    }
    let fields = CacheFields(response.fields)
    return Found(
      cached: cached, response: response,
      facts: CacheRules.Stored(url: Self.key(own), status: response.statusCode, fields: fields, record: record))
  }

  private func noteMissing(_ key: String) {
    missing.withLock { missing in
      if missing.count >= Self.memoryLimit { missing.removeAll(keepingCapacity: true) }
      missing[key] = .now
    }
  }
}

extension HTTPURLResponse {
  /// The header fields as what they are.
  var fields: [String: String] {
    allHeaderFields.reduce(into: [:]) { $0["\($1.key.base)"] = "\($1.value)" }
  }
}
