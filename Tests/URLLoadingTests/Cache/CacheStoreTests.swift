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

/// A cache in memory and on the disk, and several on one folder, as each process has one.
@Suite struct CacheStoreTests {
  private typealias URLCache = URLLoading.URLCache

  private struct Folder {
    let directory: TestDirectory
    var url: URL { directory.url.appending(path: "responses") }

    init() throws { directory = try TestDirectory() }

    func cache(memory: Int = 0, disk: Int = 1 << 20) -> URLCache {
      URLCache(memoryCapacity: memory, diskCapacity: disk, directory: url)
    }

    var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []) }
    var files: Set<String> { names.subtracting([CacheFolder.indexName]) }
  }

  private static func request(_ path: String, _ fields: [String: String] = [:]) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: "http://x.test/" + path)))
    request.allHTTPHeaderFields = fields
    return request
  }

  private static func put(
    _ body: String, _ path: String, in cache: URLCache, vary: String? = nil, fields: [String: String] = [:],
    userInfo: [AnyHashable: Any]? = nil, policy: URLCache.StoragePolicy = .allowed
  ) throws {
    let request = try request(path, fields)
    let url = try #require(request.url)
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: nil,
        headerFields: vary.map { ["Vary": $0] } ?? ["X-A": "b"]))
    let cached = CachedURLResponse(
      response: response, data: Data(body.utf8), userInfo: userInfo, storagePolicy: policy)
    cache.storeCachedResponse(cached, for: request)
  }

  private static func body(_ path: String, in cache: URLCache, _ fields: [String: String] = [:]) throws -> String? {
    let request = try request(path, fields)
    return cache.cachedResponse(for: request).map { String(decoding: $0.data, as: UTF8.self) }
  }

  @Test(arguments: [true, false])
  func `queries, methods and what Vary names are entries of their own`(hasDisk: Bool) throws {
    let folder = try Folder()
    let cache = hasDisk ? folder.cache() : folder.cache(memory: 1 << 20, disk: 0)
    for number in 0..<30 { try Self.put("\(number)", "a?\(number)", in: cache) }
    for number in 0..<30 { #expect(try Self.body("a?\(number)", in: cache) == "\(number)") }
    #expect(try Self.body("a", in: cache) == nil)
    var post = try Self.request("a?1")
    post.httpMethod = "POST"
    #expect(cache.cachedResponse(for: post) == nil)
    for language in ["de", "zh"] {
      try Self.put(language, "v", in: cache, vary: "Accept-Language", fields: ["Accept-Language": language])
    }
    for language in ["de", "zh"] { #expect(try Self.body("v", in: cache, ["accept-language": language]) == language) }
    #expect(try Self.body("v", in: cache, ["Accept-Language": "en"]) == nil)
    #expect(try Self.body("v#fragment", in: cache) == "zh", "a request that says nothing gets the last one")
    cache.removeCachedResponse(for: try Self.request("v"))
    #expect(try Self.body("v", in: cache) == nil && Self.body("a?1", in: cache) == "1")
    #expect(folder.files.count == (hasDisk ? 30 : 0))
  }

  @Test func `two caches on one folder find each other's entries, also those that replace one in memory`() throws {
    let folder = try Folder()
    let (one, other) = (folder.cache(memory: 1 << 20), folder.cache(memory: 1 << 20))
    for number in 0..<20 { try Self.put("\(number)", "\(number)", in: number % 2 == 0 ? one : other) }
    for cache in [one, other] {
      for number in 0..<20 { #expect(try Self.body("\(number)", in: cache) == "\(number)") }
    }
    try Self.put("new", "3", in: one)
    #expect(try Self.body("3", in: other) == "new")
    other.removeCachedResponse(for: try Self.request("4"))
    #expect(try Self.body("4", in: one) == nil && Self.body("5", in: one) == "5")
    one.removeAllCachedResponses()
    #expect(try Self.body("5", in: other) == nil && folder.files.isEmpty && other.currentDiskUsage == 0)
  }

  @Test func `nothing is on the disk before the first response, and all of it is its user's alone`() throws {
    let folder = try Folder()
    let cache = folder.cache(memory: 1 << 20)
    #expect(try Self.body("a", in: cache) == nil && !FileManager.default.fileExists(atPath: folder.url.path))
    try Self.put("m", "m", in: cache, policy: .allowedInMemoryOnly)
    try Self.put("n", "n", in: cache, policy: .notAllowed)
    try Self.put("d", "d", in: cache, userInfo: ["date": Date()])
    #expect(try Self.body("m", in: cache) == "m" && Self.body("n", in: cache) == nil)
    #expect(try Self.body("d", in: cache) == "d")
    #expect(folder.names.isEmpty)
    try Self.put("a", "a", in: cache, userInfo: ["k": "v"])
    #expect(try folder.cache().cachedResponse(for: Self.request("a"))?.userInfo?["k"] as? String == "v")
    for name in folder.names { #expect(FileManager.default.mode(of: folder.url.path + "/" + name) == 0o600) }
    #expect(FileManager.default.mode(of: folder.url.path) == 0o700 && folder.names.count == 2)
    // What stays in memory takes the place of what lies on the disk.
    try Self.put("b", "a", in: cache, policy: .allowedInMemoryOnly)
    #expect(try Self.body("a", in: cache) == "b" && Self.body("a", in: folder.cache()) == nil && folder.files.isEmpty)
  }

  @Test func `what was used longest ago makes room, and a smaller capacity does at once`() throws {
    let folder = try Folder()
    let cache = folder.cache(disk: 30_000)
    for number in 0..<40 {
      try Self.put(String(repeating: "x", count: 1000), "\(number)", in: cache)
      #expect(try Self.body("0", in: cache) != nil, "\(number)")
    }
    #expect(cache.currentDiskUsage <= 30_000 && folder.files.count > 15)
    #expect(try Self.body("1", in: cache) == nil && Self.body("39", in: folder.cache()) != nil)
    cache.diskCapacity = 5_000
    #expect(cache.currentDiskUsage <= 5_000 && (1...4).contains(folder.files.count))
    cache.diskCapacity = 0
    try Self.put("a", "a", in: cache)
    #expect(try Self.body("a", in: cache) == nil && folder.files.isEmpty)
  }

  @Test func `what was stored since a time goes, on the disk and in memory`() throws {
    let folder = try Folder()
    let cache = folder.cache(memory: 1 << 20)
    try Self.put("a", "a", in: cache)
    let later = Date(timeIntervalSinceNow: 0.002)
    while Date() < later {}
    try Self.put("b", "b", in: cache)
    cache.removeCachedResponses(since: later)
    #expect(try Self.body("a", in: cache) == "a" && Self.body("b", in: cache) == nil)
    #expect(try Self.body("a", in: folder.cache()) == "a" && Self.body("b", in: folder.cache()) == nil)
    cache.removeCachedResponses(since: .distantPast)
    #expect(try Self.body("a", in: cache) == nil)
  }

  @Test func `an entry without its file, or with another one, is a miss, and the others are not`() throws {
    let folder = try Folder()
    for name in ["a", "b", "c"] { try Self.put(name, name, in: folder.cache()) }
    let file = CacheFile(CacheKey(text: "http://x.test/a").resource, [:]).name
    let other = CacheFile(CacheKey(text: "http://x.test/b").resource, [:]).name
    #expect(rename(folder.url.path + "/" + file, folder.url.path + "/" + other) == 0)
    let cache = folder.cache()
    #expect(try Self.body("a", in: cache) == nil && Self.body("b", in: cache) == nil)
    #expect(try Self.body("c", in: cache) == "c")
    try Self.put("again", "b", in: cache)
    #expect(try Self.body("b", in: folder.cache()) == "again")
  }

  @Test(arguments: ["", "garbage\n", "workbench-cache 1\ngarbage\n", "workbench-cookies 1\n"])
  func `an index that is none loses what it named, and goes on`(text: String) throws {
    let folder = try Folder()
    try Self.put("a", "a", in: folder.cache())
    try Data(text.utf8).write(to: folder.url.appending(path: CacheFolder.indexName))
    let cache = folder.cache()
    #expect(try Self.body("a", in: cache) == nil)
    try Self.put("b", "b", in: cache)
    #expect(try Self.body("b", in: folder.cache()) == "b")
  }

  @Test func `a folder of a later version is neither read nor changed, and memory serves`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try Data(CacheLog.header(version: 2).utf8).write(to: folder.url.appending(path: CacheFolder.indexName))
    let cache = folder.cache(memory: 1 << 20)
    try Self.put("a", "a", in: cache)
    #expect(try Self.body("a", in: cache) == "a" && Self.body("a", in: folder.cache()) == nil && folder.files.isEmpty)
  }

  @Test func `where the folder is a file memory serves, and a link in an entry's place is not followed`() throws {
    let folder = try Folder()
    try Data("x".utf8).write(to: folder.url)
    let cache = folder.cache(memory: 1 << 20)
    try Self.put("a", "a", in: cache)
    #expect(try Self.body("a", in: cache) == "a" && Data(contentsOf: folder.url) == Data("x".utf8))
    try FileManager.default.removeItem(at: folder.url)
    try Self.put("b", "b", in: folder.cache())
    let file = folder.url.path + "/" + CacheFile(CacheKey(text: "http://x.test/b").resource, [:]).name
    let elsewhere = folder.directory.url.path + "/elsewhere"
    #expect(rename(file, elsewhere) == 0 && symlink(elsewhere, file) == 0)
    #expect(try Self.body("b", in: folder.cache()) == nil && FileManager.default.fileExists(atPath: elsewhere))
  }

  @Test func `an index of many changes is written anew, and the other processes follow`() throws {
    let folder = try Folder()
    let (one, other) = (folder.cache(), folder.cache())
    try Self.put("kept", "kept", in: other)
    for number in 0..<600 { try Self.put("\(number)", "a", in: one) }
    #expect(try Data(contentsOf: folder.url.appending(path: CacheFolder.indexName)).count < 30_000)
    #expect(try Self.body("a", in: other) == "599" && Self.body("kept", in: one) == "kept" && folder.files.count == 2)
  }

  @Test func `files that no line names go a minute later, those of killed writers among them`() throws {
    let folder = try Folder()
    try Self.put("a", "a", in: folder.cache())
    let left = [".dat.nosync\(String(Int32(1 << 22) + 1, radix: 16)).aB3xyz", "00000000000000ff", "notes.txt"]
    for name in left {
      let file = folder.url.appending(path: name)
      try Data().write(to: file)
      let changed = Date(timeIntervalSinceNow: -120)
      try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: file.path)
    }
    let cache = folder.cache()
    try Self.put("b", "b", in: cache)
    #expect(folder.names.intersection(left) == ["notes.txt"] && folder.files.count == 3)
    try Data().write(to: folder.url.appending(path: left[1]))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: folder.url.appending(path: left[1]).path)
    cache.removeAllCachedResponses()
    #expect(folder.files == ["notes.txt"])
  }

  @Test func `an empty cache in memory is asked nothing, a disk and a program's own class are`() throws {
    final class Own: URLLoading.URLCache, @unchecked Sendable {}
    let url = "http://x.test/a"
    let asked = CacheRules.Asked(url: url, method: "GET", policy: .useProtocolCachePolicy, fields: .none)
    func isKnown(_ cache: URLCache) -> Bool { if case .known(nil) = cache.look(asked) { true } else { false } }
    let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
    #expect(isKnown(cache))
    try Self.put("a", "a", in: cache)
    #expect(!isKnown(cache))
    cache.removeAllCachedResponses()
    let folder = try Folder()
    #expect(isKnown(cache) && !isKnown(folder.cache()) && !isKnown(Own(memoryCapacity: 1, diskCapacity: 0)))
  }

  // MARK: - Changes that meet

  /// Begins to read `name` from the disk, and does `change` while that is under way.
  private static func reading(_ name: String, in cache: URLCache, _ change: () -> Void) throws {
    let key = try #require(CacheKey(try request(name)))
    let end = DispatchSemaphore(value: 0)
    cache.store.find(key, where: { _ in true }, then: { _ in end.signal() })
    let isUsed = { cache.store.state.withLock { $0.disk.entries.last?.entry.value.resource == key.resource } }
    while !isUsed() {}
    change()
    end.wait()
    CacheStore.queue.sync {}
  }

  @Test func `what is removed or replaced while it is read from the disk does not come back`() throws {
    let folder = try Folder()
    let large = String(repeating: "x", count: 6 << 20)
    for number in 0..<6 {
      try Self.put(large, "large", in: folder.cache(disk: 1 << 30))
      try Self.put("small", "small", in: folder.cache(disk: 1 << 30))
      let cache = folder.cache(memory: 1 << 30, disk: 1 << 30)
      #expect(try Self.body("small", in: cache) == "small")
      let key = try #require(CacheKey(try Self.request("large")))
      if number % 2 == 0 {
        try Self.reading("large", in: cache) { cache.store.remove(key) }
        #expect(try Self.body("large", in: cache) == nil)
      } else {
        let url = try #require(URL(string: "http://x.test/large"))
        let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
        let new = StoredResponse(CachedURLResponse(response: response, data: Data("new".utf8)), key, fields: .none)
        try Self.reading("large", in: cache) { cache.store.keep(new) }
        #expect(try Self.body("large", in: cache) == "new")
      }
    }
  }

  @Test func `what stays in memory takes the place of what an earlier process stored, and stays`() throws {
    let folder = try Folder()
    for name in ["a", "b"] { try Self.put("old", name, in: folder.cache()) }
    let cache = folder.cache(memory: 1 << 20)
    try Self.put("new", "a", in: cache, policy: .allowedInMemoryOnly)
    try Self.put("m", "m", in: cache, policy: .allowedInMemoryOnly)
    #expect(try Self.body("a", in: cache) == "new" && Self.body("m", in: cache) == "m")
    #expect(try Self.body("a", in: folder.cache()) == nil && Self.body("b", in: cache) == "old")
    // An index that another process writes anew says nothing of it.
    let other = folder.cache()
    for number in 0..<250 { try Self.put("\(number)", "c", in: other) }
    #expect(try Self.body("c", in: cache) == "249" && Self.body("m", in: cache) == "m")
    #expect(try Self.body("a", in: cache) == "new")
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
    try Self.put("small", "a", in: cache, vary: "Accept-Language", fields: german)
    Self.nextMillisecond()
    let large = String(repeating: "x", count: 10_000)
    try Self.put(large, "a", in: cache)
    #expect(try Self.body("a", in: cache, german) == large)
    let gate = DispatchSemaphore(value: 0)
    CacheStore.queue.async { gate.wait() }
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
    CacheStore.queue.async { gate.wait() }
    cache.store.keep(
      StoredResponse(CachedURLResponse(response: response, data: Data("a".utf8)), CacheKey(url), fields: .none))
    cache.store.removeAll(since: Date(timeIntervalSinceNow: 60))
    gate.signal()
    #expect(try Self.body("a", in: cache) == "a" && Self.body("a", in: folder.cache()) == "a")
  }

  @Test func `what is used from memory lies on the disk last, too`() throws {
    let folder = try Folder()
    let cache = folder.cache(memory: 1 << 20, disk: 30_000)
    for number in 0..<40 {
      try Self.put(String(repeating: "x", count: 1000), "\(number)", in: cache)
      #expect(try Self.body("0", in: cache) != nil)
    }
    #expect(try Self.body("0", in: folder.cache()) != nil && Self.body("1", in: folder.cache()) == nil)
  }

  @Test func `a folder that was removed is made again`() throws {
    let folder = try Folder()
    let cache = folder.cache()
    try Self.put("a", "a", in: cache)
    try FileManager.default.removeItem(at: folder.url)
    try Self.put("b", "b", in: cache)
    #expect(try Self.body("a", in: cache) == nil && Self.body("b", in: folder.cache()) == "b")
  }

  @Test func `a program's own folder keeps its mode`() throws {
    let folder = try Folder()
    #expect(mkdir(folder.url.path, 0o700) == 0 && chmod(folder.url.path, 0o1777) == 0)
    try Self.put("a", "a", in: folder.cache())
    var status = stat()
    #expect(stat(folder.url.path, &status) == 0 && status.st_mode & 0o7777 == 0o1777)
    for name in folder.names { #expect(FileManager.default.mode(of: folder.url.path + "/" + name) == 0o600) }
  }

  @Test(arguments: [0, 1 << 20])
  func `what a 304 confirms is not kept where it was replaced or removed meanwhile`(memory: Int) throws {
    let folder = try Folder()
    let cache = folder.cache(memory: memory)
    let key = try #require(CacheKey(try Self.request("a")))
    func stored() throws -> StoredResponse {
      try Self.put("old", "a", in: cache)
      return try #require(cache.store.found(key) { _ in true })
    }
    let later = CacheStore.milliseconds / 1000 + 10
    let provenance = CacheRules.Provenance(requested: later, received: later, selectors: [:])
    let kept = try stored()
    cache.store.keep(kept.confirmed(["X-A": "new"], provenance), confirming: kept)
    #expect(cache.store.found(key) { _ in true }?.fields["X-A"] == "new")
    let gone = try stored()
    cache.removeCachedResponse(for: try Self.request("a"))
    cache.store.keep(gone.confirmed(["X-A": "new"], provenance), confirming: gone)
    #expect(try Self.body("a", in: cache) == nil)
    let old = try stored()
    try Self.put("newer", "a", in: cache)
    let earlier = CacheRules.Provenance(requested: later - 20, received: later - 20, selectors: [:])
    cache.store.keep(old.confirmed(["X-A": "new"], earlier), confirming: old)
    #expect(try Self.body("a", in: cache) == "newer")
  }

  @Test func `what loads store just now is found by another object over the folder`() throws {
    let folder = try Folder()
    let (one, other) = (folder.cache(), folder.cache())
    for number in 0..<30 {
      let url = try #require(try Self.request("\(number)").url)
      let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
      let cached = CachedURLResponse(response: response, data: Data("\(number)".utf8))
      one.store.keep(StoredResponse(cached, CacheKey(url), fields: .none))
    }
    for number in 0..<30 { #expect(try Self.body("\(number)", in: other) == "\(number)") }
    #expect(other.currentDiskUsage == one.currentDiskUsage)
  }

  @Test func `what could not be recorded is later, and an index written anew meanwhile loses none of it`() throws {
    let folder = try Folder()
    let (one, other) = (folder.cache(memory: 1 << 20), folder.cache())
    try Self.put("kept", "kept", in: one)
    try Self.put("gone", "gone", in: one)
    let lock = open(folder.url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    try Self.put("a", "a", in: one)
    one.removeCachedResponse(for: try Self.request("gone"))
    #expect(flock(lock, LOCK_UN) == 0)
    close(lock)
    for number in 0..<250 { try Self.put("\(number)", "c", in: other) }
    #expect(try Self.body("c", in: one) == "249" && Self.body("a", in: one) == "a" && Self.body("gone", in: one) == nil)
    CacheStore.flush()
    #expect(try Self.body("a", in: folder.cache()) == "a" && Self.body("gone", in: folder.cache()) == nil)
  }

  @Test func `an index whose sizes no disk has is not believed`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let sizes = [999_999_999_999_999, 1 << 40]
    let lines = (0..<20_000).flatMap { number in
      CacheLog.line(.stored(CacheFile(UInt64(number), [:]), size: sizes[number % 2], stored: 999_999_999_999_999))
    }
    try Data(Array(CacheLog.header.utf8) + lines).write(to: folder.url.appending(path: CacheFolder.indexName))
    let cache = folder.cache()
    try Self.put("a", "a", in: cache)
    #expect(try Self.body("a", in: folder.cache()) == "a" && cache.currentDiskUsage < 1000)
  }

  @Test func `one writing of a URL stands for all`() throws {
    let cache = try Folder().cache()
    func request(_ text: String) throws -> URLRequest { URLRequest(url: try #require(URL(string: text))) }
    let url = try #require(URL(string: "http://x.test/"))
    let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
    cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("a".utf8)), for: URLRequest(url: url))
    for text in ["http://x.test", "HTTP://X.Test/#a"] { #expect(cache.cachedResponse(for: try request(text)) != nil) }
    cache.removeCachedResponse(for: try request("http://X.test"))
    #expect(cache.cachedResponse(for: URLRequest(url: url)) == nil)
  }

  /// An object of a program's that asks the cache when it goes.
  private final class Asking {
    let cache: URLCache
    let count: Locked<Int>

    init(_ cache: URLCache, _ count: Locked<Int>) { (self.cache, self.count) = (cache, count) }

    deinit {
      _ = try? CacheStoreTests.body("m", in: cache)
      cache.removeCachedResponses(since: .distantFuture)
      if cache.currentMemoryUsage >= 0 { count.withLock { $0 += 1 } }
    }
  }

  @Test func `what a program keeps with a response may ask the cache when it goes`() throws {
    let folder = try Folder()
    let cache = folder.cache(memory: 20_000)
    let count = Locked(0)
    func put(_ path: String, size: Int = 1) throws {
      try Self.put(String(repeating: "x", count: size), path, in: cache, userInfo: ["object": Asking(cache, count)])
    }
    try put("replaced")
    try put("replaced")
    #expect(count.withLock { $0 } == 1)
    cache.removeCachedResponse(for: try Self.request("replaced"))
    #expect(count.withLock { $0 } == 2)
    for number in 0..<5 { try put("large\(number)", size: 9_000) }
    #expect(count.withLock { $0 } >= 3)
    cache.memoryCapacity = 0
    #expect(count.withLock { $0 } == 7)
    cache.memoryCapacity = 20_000
    try put("m")
    try Self.put("other", "m", in: folder.cache())
    #expect(try Self.body("m", in: cache) == "other" && count.withLock { $0 } == 8)
  }
}
