// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

/// The toolchain's cache ends the process as it makes room, once it has stored twice under a key. In a process of its own.
@Suite struct RepeatedStoringTests {
  private static func store(_ number: Int, in store: CacheStore, _ policy: URLCache.StoragePolicy) async throws {
    let url = try #require(URL(string: "http://x.test/\(number)"))
    let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
    let cached = CachedURLResponse(response: response, data: Data(count: 2_000), storagePolicy: policy)
    let record = CacheRecord(requested: 1, received: 2, selectors: [:], digest: 0)
    await withCheckedContinuation { done in store.keep(cached, record, for: url) { done.resume() } }
  }

  @Test func `what stays in memory has a share of the memory, and not of the disk`() throws {
    let directory = try TestDirectory()
    let cache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 20 << 20, diskPath: directory.url.path)
    let store = CacheStore.over(cache)
    #expect(store.sizeLimit(for: .again) == 1 << 20)
    #expect(store.sizeLimit(for: .atAnyAge) == (4 << 20) / 20)
  }

  @Test(arguments: [0, 1 << 20])
  func `the same response again and again, and then others that want its room`(disk: Int) async throws {
    let directory = try TestDirectory()
    let path = directory.url.path
    await #expect(processExitsWith: .success) { [path = path as String, disk = disk as Int] in
      let cache = URLCache(memoryCapacity: 10_000, diskCapacity: disk, diskPath: path)
      let store = CacheStore.over(cache)
      for number in [1, 1, 2, 1, 2, 2] {
        try await RepeatedStoringTests.store(number, in: store, .allowedInMemoryOnly)
      }
      for number in 3..<20 { try await RepeatedStoringTests.store(number, in: store, .allowedInMemoryOnly) }
      let url = try #require(URL(string: "http://x.test/19"))
      let found = await withCheckedContinuation { done in store.find(url) { done.resume(returning: $0) } }
      #expect(found?.cached.data.count == 2_000)
    }
  }
}
