// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import FoundationNetworking
import HTTPRules
import Locking
import Transport

/// Responses by method and URL, query included, and by what their Vary fields name.
///
/// A cache keeps responses in memory, and those that may lie on a disk in a folder as well, which several processes use at the
/// same time: each finds what another has stored. A file appears there as a whole or not at all (mode 0600, in a folder that is
/// made with mode 0700), and one that was damaged is no hit. Where a capacity is reached, what was used longest ago gives way.
/// Nothing is made on the disk before the first response is stored. Where the folder is removed while the program runs, memory serves
/// on, and the next response that goes to the disk makes it anew. Any thread.
///
/// Which responses loads store and use is RFC 9111's business, and that of a request's `cachePolicy`; see
/// `URLSessionConfiguration.urlCache`.
///
/// A program may have a class of its own: loads then call `cachedResponse(for:)`, `storeCachedResponse(_:for:)` and
/// `removeCachedResponse(for:)`, on a queue of the library's, which no other cache waits for.
open class URLCache: NSObject, @unchecked Sendable {
  // Sendable: all properties are constants, which keep their state behind locks.

  /// Where a response may be kept.
  public typealias StoragePolicy = FoundationNetworking.URLCache.StoragePolicy

  let store: CacheStore
  let line = CacheLine()
  private let ownQueue = Locked<DispatchQueue?>(nil)

  /// Where a program's own class is asked. The library's own caches, of which each session has one, never need it.
  var queue: DispatchQueue {
    ownQueue.withLock { known in
      let queue = known ?? DispatchQueue(label: "URLLoading.programs-cache")
      known = queue
      return queue
    }
  }

  /// - Parameters:
  ///   - memoryCapacity: bytes in memory at most.
  ///   - diskCapacity: bytes on the disk at most; 0 for no disk.
  ///   - path: the folder for files, which is made where it is missing, an absolute path or one from the current folder; nil
  ///     for the program's own below the user's caches.
  public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
    store = CacheStore(
      memoryCapacity: memoryCapacity, diskCapacity: diskCapacity,
      folder: path.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? CachePlace.own)
  }

  /// - Parameters:
  ///   - memoryCapacity: bytes in memory at most.
  ///   - diskCapacity: bytes on the disk at most; 0 for no disk.
  ///   - directory: the folder for files, which is made where it is missing; nil for the program's own below the user's caches.
  public convenience init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
    self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: directory?.path)
  }

  /// A cache with the capacities of `shared`.
  public override convenience init() {
    self.init(memoryCapacity: 4 << 20, diskCapacity: 20 << 20, diskPath: nil)
  }

  private static let current = Locked<URLCache?>(nil)

  /// The cache of sessions with a `default` configuration and of all connections: 4 MiB in memory and 20 MiB on the disk, until
  /// a program sets another one, at any time. Each load uses the one of its begin.
  open class var shared: URLCache {
    get {
      current.withLock { current in
        if let current { return current }
        let made = URLCache()
        current = made
        return made
      }
    }
    set {
      current.drop { current in
        let old = current
        current = newValue
        return old
      }
    }
  }

  /// Returns the stored response for a request's method and URL, of whatever age; nil for nothing. Where Vary names fields that
  /// the request has, those decide.
  open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    guard let key = CacheKey(request) else { return nil }
    let fields = CacheFields(request.allHTTPHeaderFields ?? [:])
    return store.found(key) { $0.allSatisfy { fields[$0.key].map(CacheRules.digest) ?? $0.value == $0.value } }?.cached
  }

  /// Stores a response under a request's method and URL, as its `storagePolicy` says. What its `userInfo` has beside what JSON
  /// can say keeps it in memory.
  open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
    guard cachedResponse.storagePolicy != .notAllowed, let key = CacheKey(request) else { return }
    store.keep(StoredResponse(cachedResponse, key, fields: CacheFields(request.allHTTPHeaderFields ?? [:])))
    store.settle()
  }

  /// Forgets what is stored for a request's method and URL.
  open func removeCachedResponse(for request: URLRequest) {
    guard let key = CacheKey(request) else { return }
    store.remove(key)
    store.settle()
  }

  /// Forgets all responses.
  open func removeAllCachedResponses() {
    store.removeAll()
    store.settle()
  }

  /// Forgets what was stored at `date` or later.
  open func removeCachedResponses(since date: Date) {
    store.removeAll(since: date)
    store.settle()
  }

  /// Bytes in memory at most. A response counts with what stands around its body, about 1.3 KB.
  open var memoryCapacity: Int {
    get { store.memoryCapacity }
    set { store.memoryCapacity = newValue }
  }

  /// Bytes on the disk at most. A response counts with the blocks of its file, of 4 KiB each.
  open var diskCapacity: Int {
    get { store.diskCapacity }
    set {
      store.diskCapacity = newValue
      store.settle()
    }
  }

  /// Bytes in memory now.
  open var currentMemoryUsage: Int { store.memoryUsage }

  /// Bytes on the disk now.
  open var currentDiskUsage: Int { store.diskUsage }
}
