// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import Transport
@testable import URLLoading

/// A cache in which there is nothing yet is not asked.
@Suite struct EmptyCacheTests {
  private final class OwnCache: URLCache, @unchecked Sendable {}

  private static let key = "http://x.test/1"

  private func url() throws -> URL { try #require(URL(string: Self.key)) }

  private func response(_ body: Data = Data()) throws -> CachedURLResponse {
    CachedURLResponse(
      response: try #require(HTTPURLResponse(url: try url(), statusCode: 200, httpVersion: nil, headerFields: [:])),
      data: body)
  }

  @Test func `an empty cache holds nothing, until the program puts something into it, be it without a byte`() throws {
    let cache = PrivateStores.makeCache()
    let store = CacheStore.over(cache)
    #expect(!store.mayHold(Self.key))
    cache.storeCachedResponse(try response(), for: URLRequest(url: try url()))
    #expect(store.mayHold(Self.key))
    cache.removeAllCachedResponses()
    #expect(store.mayHold(Self.key))
  }

  @Test func `a load that stores is enough, at once or later`() async throws {
    let (first, second) = (CacheStore.over(PrivateStores.makeCache()), CacheStore.over(PrivateStores.makeCache()))
    let record = CacheRecord(requested: 1, received: 2, selectors: [:], digest: 0)
    let cached = try response(Data("a".utf8))
    let url = try url()
    await withCheckedContinuation { done in first.keep(cached, record, for: url) { done.resume() } }
    let head = ResponseHead(status: 200, version: "HTTP/1.1", fields: [], contentLength: nil, decodedCodings: [])
    _ = second.keepLater(ResponseToStore(url: url, head: head, record: record, body: Data()), Self.key)
    #expect(first.mayHold(Self.key) && second.mayHold(Self.key))
  }

  @Test func `a disk may have something from earlier, and a program's own class is always asked`() throws {
    let directory = try TestDirectory()
    let disk = URLCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory.url.path)
    let own = OwnCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: "/dev/null/none")
    #expect(CacheStore.over(disk).mayHold(Self.key) && CacheStore.over(own).mayHold(Self.key))
  }
}
