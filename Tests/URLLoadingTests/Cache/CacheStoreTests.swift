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
  private typealias Folder = CacheFixture.Folder

  @Test(arguments: [true, false])
  func `queries, methods and what Vary names are entries of their own`(hasDisk: Bool) throws {
    let folder = try Folder()
    let cache = hasDisk ? folder.cache() : folder.cache(memory: 1 << 20, disk: 0)
    for number in 0..<30 { try CacheFixture.put("\(number)", "a?\(number)", in: cache) }
    for number in 0..<30 { #expect(try CacheFixture.body("a?\(number)", in: cache) == "\(number)") }
    #expect(try CacheFixture.body("a", in: cache) == nil)
    var post = try CacheFixture.request("a?1")
    post.httpMethod = "POST"
    #expect(cache.cachedResponse(for: post) == nil)
    for language in ["de", "zh"] {
      try CacheFixture.put(language, "v", in: cache, vary: "Accept-Language", fields: ["Accept-Language": language])
    }
    for language in ["de", "zh"] {
      #expect(try CacheFixture.body("v", in: cache, ["accept-language": language]) == language)
    }
    #expect(try CacheFixture.body("v", in: cache, ["Accept-Language": "en"]) == nil)
    #expect(try CacheFixture.body("v#fragment", in: cache) == "zh", "a request that says nothing gets the last one")
    cache.removeCachedResponse(for: try CacheFixture.request("v"))
    #expect(try CacheFixture.body("v", in: cache) == nil && CacheFixture.body("a?1", in: cache) == "1")
    #expect(folder.files.count == (hasDisk ? 30 : 0))
  }

  @Test func `two caches on one folder find each other's entries, also those that replace one in memory`() throws {
    let folder = try Folder()
    let (one, other) = (folder.cache(memory: 1 << 20), folder.cache(memory: 1 << 20))
    for number in 0..<20 { try CacheFixture.put("\(number)", "\(number)", in: number % 2 == 0 ? one : other) }
    for cache in [one, other] {
      for number in 0..<20 { #expect(try CacheFixture.body("\(number)", in: cache) == "\(number)") }
    }
    try CacheFixture.put("new", "3", in: one)
    #expect(try CacheFixture.body("3", in: other) == "new")
    other.removeCachedResponse(for: try CacheFixture.request("4"))
    #expect(try CacheFixture.body("4", in: one) == nil && CacheFixture.body("5", in: one) == "5")
    one.removeAllCachedResponses()
    #expect(try CacheFixture.body("5", in: other) == nil && folder.files.isEmpty && other.currentDiskUsage == 0)
  }

  @Test func `nothing is on the disk before the first response, and all of it is its user's alone`() throws {
    let folder = try Folder()
    let cache = folder.cache(memory: 1 << 20)
    #expect(try CacheFixture.body("a", in: cache) == nil && !FileManager.default.fileExists(atPath: folder.url.path))
    try CacheFixture.put("m", "m", in: cache, policy: .allowedInMemoryOnly)
    try CacheFixture.put("n", "n", in: cache, policy: .notAllowed)
    try CacheFixture.put("d", "d", in: cache, userInfo: ["date": Date()])
    #expect(try CacheFixture.body("m", in: cache) == "m" && CacheFixture.body("n", in: cache) == nil)
    #expect(try CacheFixture.body("d", in: cache) == "d")
    #expect(folder.names.isEmpty)
    try CacheFixture.put("a", "a", in: cache, userInfo: ["k": "v"])
    #expect(try folder.cache().cachedResponse(for: CacheFixture.request("a"))?.userInfo?["k"] as? String == "v")
    for name in folder.names { #expect(FileManager.default.mode(of: folder.url.path + "/" + name) == 0o600) }
    #expect(FileManager.default.mode(of: folder.url.path) == 0o700 && folder.names.count == 2)
    // An entry that stays in memory takes the place of the one that lies on the disk.
    try CacheFixture.put("b", "a", in: cache, policy: .allowedInMemoryOnly)
    #expect(
      try CacheFixture.body("a", in: cache) == "b" && CacheFixture.body("a", in: folder.cache()) == nil
        && folder.files.isEmpty)
  }

  @Test func `what was used longest ago makes room, and a smaller capacity does at once`() throws {
    let folder = try Folder()
    let cache = folder.cache(disk: 120_000)
    for number in 0..<40 {
      try CacheFixture.put(String(repeating: "x", count: 1000), "\(number)", in: cache)
      #expect(try CacheFixture.body("0", in: cache) != nil, "\(number)")
    }
    #expect(cache.currentDiskUsage <= 120_000 && folder.files.count > 15)
    #expect(try CacheFixture.body("1", in: cache) == nil && CacheFixture.body("39", in: folder.cache()) != nil)
    cache.diskCapacity = 5_000
    #expect(cache.currentDiskUsage <= 5_000 && (1...4).contains(folder.files.count))
    cache.diskCapacity = 0
    try CacheFixture.put("a", "a", in: cache)
    #expect(try CacheFixture.body("a", in: cache) == nil && folder.files.isEmpty)
  }

  @Test func `what was stored since a time goes, on the disk and in memory`() throws {
    let folder = try Folder()
    let cache = folder.cache(memory: 1 << 20)
    try CacheFixture.put("a", "a", in: cache)
    let later = Date(timeIntervalSinceNow: 0.002)
    while Date() < later {}
    try CacheFixture.put("b", "b", in: cache)
    cache.removeCachedResponses(since: later)
    #expect(try CacheFixture.body("a", in: cache) == "a" && CacheFixture.body("b", in: cache) == nil)
    #expect(try CacheFixture.body("a", in: folder.cache()) == "a" && CacheFixture.body("b", in: folder.cache()) == nil)
    cache.removeCachedResponses(since: .distantPast)
    #expect(try CacheFixture.body("a", in: cache) == nil)
  }

  @Test func `an entry without its file, or with another one, is a miss, and the others are not`() throws {
    let folder = try Folder()
    for name in ["a", "b", "c"] { try CacheFixture.put(name, name, in: folder.cache()) }
    let file = CacheFile(CacheKey(text: "http://x.test/a").resource, [:]).name
    let other = CacheFile(CacheKey(text: "http://x.test/b").resource, [:]).name
    #expect(rename(folder.url.path + "/" + file, folder.url.path + "/" + other) == 0)
    let cache = folder.cache()
    #expect(try CacheFixture.body("a", in: cache) == nil && CacheFixture.body("b", in: cache) == nil)
    #expect(try CacheFixture.body("c", in: cache) == "c")
    try CacheFixture.put("again", "b", in: cache)
    #expect(try CacheFixture.body("b", in: folder.cache()) == "again")
  }

  @Test(arguments: ["", "garbage\n", "workbench-cache 1\ngarbage\n", "workbench-cookies 1\n"])
  func `an index that is none loses what it named, and goes on`(text: String) throws {
    let folder = try Folder()
    try CacheFixture.put("a", "a", in: folder.cache())
    try Data(text.utf8).write(to: folder.url.appending(path: CacheFolder.indexName))
    let cache = folder.cache()
    #expect(try CacheFixture.body("a", in: cache) == nil)
    try CacheFixture.put("b", "b", in: cache)
    #expect(try CacheFixture.body("b", in: folder.cache()) == "b")
  }

  @Test func `a folder of a later version is neither read nor changed, and memory serves`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try Data(CacheLog.header(version: 2).utf8).write(to: folder.url.appending(path: CacheFolder.indexName))
    let cache = folder.cache(memory: 1 << 20)
    try CacheFixture.put("a", "a", in: cache)
    #expect(
      try CacheFixture.body("a", in: cache) == "a" && CacheFixture.body("a", in: folder.cache()) == nil
        && folder.files.isEmpty)
  }

  @Test func `where the folder is a file memory serves, and a link in an entry's place is not followed`() throws {
    let folder = try Folder()
    try Data("x".utf8).write(to: folder.url)
    let cache = folder.cache(memory: 1 << 20)
    try CacheFixture.put("a", "a", in: cache)
    #expect(try CacheFixture.body("a", in: cache) == "a" && Data(contentsOf: folder.url) == Data("x".utf8))
    try FileManager.default.removeItem(at: folder.url)
    try CacheFixture.put("b", "b", in: folder.cache())
    let file = folder.url.path + "/" + CacheFile(CacheKey(text: "http://x.test/b").resource, [:]).name
    let elsewhere = folder.directory.url.path + "/elsewhere"
    #expect(rename(file, elsewhere) == 0 && symlink(elsewhere, file) == 0)
    #expect(try CacheFixture.body("b", in: folder.cache()) == nil && FileManager.default.fileExists(atPath: elsewhere))
  }

  @Test func `an index of many changes is written anew, and the other processes follow`() throws {
    let folder = try Folder()
    let (one, other) = (folder.cache(), folder.cache())
    try CacheFixture.put("kept", "kept", in: other)
    for number in 0..<600 { try CacheFixture.put("\(number)", "a", in: one) }
    #expect(try Data(contentsOf: folder.url.appending(path: CacheFolder.indexName)).count < 30_000)
    #expect(
      try CacheFixture.body("a", in: other) == "599" && CacheFixture.body("kept", in: one) == "kept"
        && folder.files.count == 2)
  }

  @Test func `files that no line names go a minute later, those of killed writers among them`() throws {
    let folder = try Folder()
    try CacheFixture.put("a", "a", in: folder.cache())
    let left = [".dat.nosync\(String(Int32(1 << 22) + 1, radix: 16)).aB3xyz", "00000000000000ff", "notes.txt"]
    for name in left {
      let file = folder.url.appending(path: name)
      try Data().write(to: file)
      let changed = Date(timeIntervalSinceNow: -120)
      try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: file.path)
    }
    let cache = folder.cache()
    try CacheFixture.put("b", "b", in: cache)
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
    try CacheFixture.put("a", "a", in: cache)
    #expect(!isKnown(cache))
    cache.removeAllCachedResponses()
    let folder = try Folder()
    #expect(isKnown(cache) && !isKnown(folder.cache()) && !isKnown(Own(memoryCapacity: 1, diskCapacity: 0)))
  }

  @Test func `a folder that was removed is made again`() throws {
    let folder = try Folder()
    let cache = folder.cache()
    try CacheFixture.put("a", "a", in: cache)
    try FileManager.default.removeItem(at: folder.url)
    try CacheFixture.put("b", "b", in: cache)
    #expect(try CacheFixture.body("a", in: cache) == nil && CacheFixture.body("b", in: folder.cache()) == "b")
  }

  @Test func `a folder that was removed takes nothing out of memory, and another process's change still does (CA-14)`()
    throws
  {
    let folder = try Folder()
    let cache = folder.cache(memory: 1 << 20)
    for name in ["a", "b", "c"] { try CacheFixture.put("old", name, in: cache) }
    try FileManager.default.removeItem(at: folder.url)
    #expect(try CacheFixture.body("a", in: cache) == "old")
    #expect(cache.currentDiskUsage == 0 && cache.currentMemoryUsage > 0)
    // A removal reaches what memory alone has; what another one stores replaces it.
    cache.removeCachedResponse(for: try CacheFixture.request("c"))
    let other = folder.cache()
    #expect(try CacheFixture.body("b", in: other) == nil)
    try CacheFixture.put("new", "b", in: other)
    #expect(try ["a", "b", "c"].map { try CacheFixture.body($0, in: cache) } == ["old", "new", nil])
    try CacheFixture.put("d", "d", in: cache)
    #expect(folder.files.count == 2)
    #expect(try CacheFixture.body("d", in: other) == "d" && CacheFixture.body("a", in: other) == nil)
  }

  @Test func `a program's own folder keeps its mode`() throws {
    let folder = try Folder()
    #expect(mkdir(folder.url.path, 0o700) == 0 && chmod(folder.url.path, 0o1777) == 0)
    try CacheFixture.put("a", "a", in: folder.cache())
    var status = stat()
    #expect(stat(folder.url.path, &status) == 0 && status.st_mode & 0o7777 == 0o1777)
    for name in folder.names { #expect(FileManager.default.mode(of: folder.url.path + "/" + name) == 0o600) }
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
    try CacheFixture.put("a", "a", in: cache)
    #expect(try CacheFixture.body("a", in: folder.cache()) == "a" && cache.currentDiskUsage < 5000)
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
}
