// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc
import Locking
import TestSupport
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

/// Changes of a cache that meet: a read, a write, a removal and another process's, each while another one is under way.
@Suite struct CacheChangeTests {
  private typealias URLCache = URLLoading.URLCache
  private typealias Folder = CacheFixture.Folder

  /// Begins to read `name` from the disk, and does `change` while that is under way.
  private static func reading(_ name: String, in cache: URLCache, _ change: () -> Void) throws {
    let key = try #require(CacheKey(try CacheFixture.request(name)))
    let end = DispatchSemaphore(value: 0)
    cache.store.find(key, where: { _ in true }, then: { _ in end.signal() })
    let isUsed = { cache.store.state.withLock { $0.disk.entries.last?.entry.value.resource == key.resource } }
    while !isUsed() {}
    change()
    end.wait()
    cache.store.queue.jobs.sync {}
  }

  @Test func `what is removed or replaced while it is read from the disk does not come back`() throws {
    let folder = try Folder()
    let large = String(repeating: "x", count: 6 << 20)
    for number in 0..<6 {
      try CacheFixture.put(large, "large", in: folder.cache(disk: 1 << 30))
      try CacheFixture.put("small", "small", in: folder.cache(disk: 1 << 30))
      let cache = folder.cache(memory: 1 << 30, disk: 1 << 30)
      #expect(try CacheFixture.body("small", in: cache) == "small")
      let key = try #require(CacheKey(try CacheFixture.request("large")))
      if number % 2 == 0 {
        try Self.reading("large", in: cache) { cache.store.remove(key) }
        #expect(try CacheFixture.body("large", in: cache) == nil)
      } else {
        let url = try #require(URL(string: "http://x.test/large"))
        let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
        let new = StoredResponse(CachedURLResponse(response: response, data: Data("new".utf8)), key, fields: .none)
        try Self.reading("large", in: cache) { cache.store.keep(new) }
        #expect(try CacheFixture.body("large", in: cache) == "new")
      }
    }
  }

  @Test func `what stays in memory takes the place of what an earlier process stored, and stays`() throws {
    let folder = try Folder()
    for name in ["a", "b"] { try CacheFixture.put("old", name, in: folder.cache()) }
    let cache = folder.cache(memory: 1 << 20)
    try CacheFixture.put("new", "a", in: cache, policy: .allowedInMemoryOnly)
    try CacheFixture.put("m", "m", in: cache, policy: .allowedInMemoryOnly)
    #expect(try CacheFixture.body("a", in: cache) == "new" && CacheFixture.body("m", in: cache) == "m")
    #expect(try CacheFixture.body("a", in: folder.cache()) == nil && CacheFixture.body("b", in: cache) == "old")
    // An index that another process writes anew says nothing of it.
    let other = folder.cache()
    for number in 0..<250 { try CacheFixture.put("\(number)", "c", in: other) }
    #expect(try CacheFixture.body("c", in: cache) == "249" && CacheFixture.body("m", in: cache) == "m")
    #expect(try CacheFixture.body("a", in: cache) == "new")
  }

  /// Waits until the clock shows another millisecond.
  private static func nextMillisecond() {
    let now = CacheStore.milliseconds
    while CacheStore.milliseconds == now {}
  }

  @Test func `of what lies in memory, on the disk and between them, the last one stored answers`() throws {
    let folder = try Folder()
    let cache = folder.cache(memory: 4_000)
    let german = ["Accept-Language": "de"]
    try CacheFixture.put("small", "a", in: cache, vary: "Accept-Language", fields: german)
    Self.nextMillisecond()
    let large = String(repeating: "x", count: 10_000)
    try CacheFixture.put(large, "a", in: cache)
    #expect(try CacheFixture.body("a", in: cache, german) == large)
    let gate = DispatchSemaphore(value: 0)
    cache.store.queue.jobs.async { gate.wait() }
    let url = try #require(URL(string: "http://x.test/a"))
    for number in 0..<9 {
      Self.nextMillisecond()
      let response = try #require(
        HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Vary": "X-\(number)"]))
      let cached = CachedURLResponse(response: response, data: Data("\(number)".utf8) + Data(count: 9_000))
      cache.store.keep(StoredResponse(cached, CacheKey(url), fields: .none))
    }
    let look = cache.store.look(CacheKey(url)) { _ in true }
    if case .known(let found) = look { #expect(found?.body.first == UInt8(ascii: "8")) } else { Issue.record() }
    gate.signal()
  }

  @Test func `removing what was stored since a time leaves what is on its way to the disk from before`() throws {
    let folder = try Folder()
    let cache = folder.cache()
    let url = try #require(URL(string: "http://x.test/a"))
    let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
    let gate = DispatchSemaphore(value: 0)
    cache.store.queue.jobs.async { gate.wait() }
    cache.store.keep(
      StoredResponse(CachedURLResponse(response: response, data: Data("a".utf8)), CacheKey(url), fields: .none))
    cache.store.removeAll(since: Date(timeIntervalSinceNow: 60))
    gate.signal()
    #expect(try CacheFixture.body("a", in: cache) == "a" && CacheFixture.body("a", in: folder.cache()) == "a")
  }

  @Test func `what is used from memory lies on the disk last, too`() throws {
    let folder = try Folder()
    let cache = folder.cache(memory: 1 << 20, disk: 30_000)
    for number in 0..<40 {
      try CacheFixture.put(String(repeating: "x", count: 1000), "\(number)", in: cache)
      #expect(try CacheFixture.body("0", in: cache) != nil)
    }
    #expect(try CacheFixture.body("0", in: folder.cache()) != nil && CacheFixture.body("1", in: folder.cache()) == nil)
  }

  @Test(arguments: [0, 1 << 20])
  func `what a 304 confirms is not kept where it was replaced or removed meanwhile`(memory: Int) throws {
    let folder = try Folder()
    let cache = folder.cache(memory: memory)
    let key = try #require(CacheKey(try CacheFixture.request("a")))
    func stored() throws -> StoredResponse {
      try CacheFixture.put("old", "a", in: cache)
      return try #require(cache.store.found(key) { _ in true })
    }
    let later = CacheStore.milliseconds / 1000 + 10
    let provenance = CacheRules.Provenance(requested: later, received: later, selectors: [:])
    let kept = try stored()
    cache.store.keep(kept.confirmed(["X-A": "new"], provenance), confirming: kept)
    #expect(cache.store.found(key) { _ in true }?.fields["X-A"] == "new")
    let gone = try stored()
    cache.removeCachedResponse(for: try CacheFixture.request("a"))
    cache.store.keep(gone.confirmed(["X-A": "new"], provenance), confirming: gone)
    #expect(try CacheFixture.body("a", in: cache) == nil)
    let old = try stored()
    try CacheFixture.put("newer", "a", in: cache)
    let earlier = CacheRules.Provenance(requested: later - 20, received: later - 20, selectors: [:])
    cache.store.keep(old.confirmed(["X-A": "new"], earlier), confirming: old)
    #expect(try CacheFixture.body("a", in: cache) == "newer")
  }

  @Test func `what loads store just now is found by another object over the folder`() throws {
    let folder = try Folder()
    let (one, other) = (folder.cache(), folder.cache())
    for number in 0..<30 {
      let url = try #require(try CacheFixture.request("\(number)").url)
      let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
      let cached = CachedURLResponse(response: response, data: Data("\(number)".utf8))
      one.store.keep(StoredResponse(cached, CacheKey(url), fields: .none))
    }
    for number in 0..<30 { #expect(try CacheFixture.body("\(number)", in: other) == "\(number)") }
    #expect(other.currentDiskUsage == one.currentDiskUsage)
  }

  @Test func `what could not be recorded is later, and an index written anew meanwhile loses none of it`() throws {
    let folder = try Folder()
    let (one, other) = (folder.cache(memory: 1 << 20), folder.cache())
    try CacheFixture.put("kept", "kept", in: one)
    try CacheFixture.put("gone", "gone", in: one)
    let lock = open(folder.url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try CacheFixture.put("a", "a", in: one)
    one.removeCachedResponse(for: try CacheFixture.request("gone"))
    #expect(flock(lock, LOCK_UN) == 0)
    close(lock)
    for number in 0..<250 { try CacheFixture.put("\(number)", "c", in: other) }
    #expect(
      try CacheFixture.body("c", in: one) == "249" && CacheFixture.body("a", in: one) == "a"
        && CacheFixture.body("gone", in: one) == nil)
    CacheStore.flush()
    #expect(
      try CacheFixture.body("a", in: folder.cache()) == "a" && CacheFixture.body("gone", in: folder.cache()) == nil)
  }

  /// An object of a program's that asks the cache when it goes.
  private final class Asking {
    let cache: URLCache
    let count: Locked<Int>

    init(_ cache: URLCache, _ count: Locked<Int>) { (self.cache, self.count) = (cache, count) }

    deinit {
      _ = try? CacheFixture.body("m", in: cache)
      cache.removeCachedResponses(since: .distantFuture)
      if cache.currentMemoryUsage >= 0 { count.withLock { $0 += 1 } }
    }
  }

  @Test func `what a program keeps with a response may ask the cache when it goes`() throws {
    let folder = try Folder()
    let cache = folder.cache(memory: 20_000)
    let count = Locked(0)
    func put(_ path: String, size: Int = 1) throws {
      try CacheFixture.put(
        String(repeating: "x", count: size), path, in: cache, userInfo: ["object": Asking(cache, count)])
    }
    try put("replaced")
    try put("replaced")
    #expect(count.withLock { $0 } == 1)
    cache.removeCachedResponse(for: try CacheFixture.request("replaced"))
    #expect(count.withLock { $0 } == 2)
    for number in 0..<5 { try put("large\(number)", size: 9_000) }
    #expect(count.withLock { $0 } >= 3)
    cache.memoryCapacity = 0
    #expect(count.withLock { $0 } == 7)
    cache.memoryCapacity = 20_000
    try put("m")
    try CacheFixture.put("other", "m", in: folder.cache())
    #expect(try CacheFixture.body("m", in: cache) == "other" && count.withLock { $0 } == 8)
  }
}
