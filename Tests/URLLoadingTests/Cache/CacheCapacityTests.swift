// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc
import HTTPRules
import TestSupport
import Testing
import Transport

@testable import URLLoading

/// A cache counts what its responses take, in memory and on the disk: many small ones take a multiple of their bytes.
@Suite(.exitTests) struct CacheCapacityTests {
  private typealias URLCache = URLLoading.URLCache

  /// A sanitizer keeps what was freed, to look at it.
  @Test(.enabled(if: !TestMachine.isSanitized))
  func `six thousand small responses take as much memory as the cache may have (CA-15)`() async {
    await #expect(processExitsWith: .success) {
      let cache = URLCache(memoryCapacity: 2 << 20, diskCapacity: 0, diskPath: nil)
      try CacheCapacityTests.store(0..<100, in: cache)
      ProcessUsage.returnFreeMemory()
      let before = ProcessUsage.resident
      try CacheCapacityTests.store(100..<6_000, in: cache)
      ProcessUsage.returnFreeMemory()
      let taken = ProcessUsage.resident - before
      // What gives way leaves holes between what stays.
      #expect(taken <= 4 << 20, "\(taken >> 10) KiB")
      #expect(cache.currentMemoryUsage > 1 << 20)
    }
  }

  /// Stores answers of two bytes, as loads do.
  private static func store(_ numbers: Range<Int>, in cache: URLCache) throws {
    let names = ["Date", "Content-Type", "Cache-Control", "ETag"]
    for number in numbers {
      let url = try #require(URL(string: "http://127.0.0.1:40001/answers/\(number)"))
      let fields = names.map { HeaderField(name: $0, value: "the value of answer \(number)") }
      let head = StoredHead(
        key: CacheKey(url), url: url, status: 200, fields: fields, isDecoded: false, provenance: nil, selectors: [:],
        userInfo: nil)
      cache.store.keep(StoredResponse(head, Data("ok".utf8)))
    }
  }

  @Test func `a file counts with the blocks that it takes, an earlier version's, too (CA-16)`() throws {
    let folder = try CacheFixture.Folder()
    let cache = folder.cache(disk: 200_000)
    for number in 0..<100 { try CacheFixture.put("a", "\(number)", in: cache) }
    let blocks = folder.files.reduce(0) { sum, name in
      var status = stat()
      return sum + (stat(folder.url.path + "/" + name, &status) == 0 ? Int(status.st_blocks) * 512 : 0)
    }
    #expect(blocks <= 200_000 && folder.files.count > 20)
    #expect(cache.currentDiskUsage <= 200_000 && folder.cache(disk: 200_000).currentDiskUsage == cache.currentDiskUsage)
    let earlier = try CacheFixture.Folder()
    try FileManager.default.createDirectory(at: earlier.url, withIntermediateDirectories: true)
    let lines = (0..<10).flatMap { CacheLog.line(.stored(CacheFile(UInt64($0), [:]), size: 300, stored: 1)) }
    try Data(Array(CacheLog.header.utf8) + lines).write(to: earlier.url.appending(path: CacheFolder.indexName))
    #expect(earlier.cache().currentDiskUsage == 40_960)
  }
}
