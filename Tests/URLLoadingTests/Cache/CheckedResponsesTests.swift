// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules
import Synchronization
import Testing

@testable import URLLoading

/// Counts how often its record is asked for.
private final class CountedResponse: CachedURLResponse, @unchecked Sendable {
  let reads = Atomic<Int>(0)

  override var userInfo: [AnyHashable: Any]? {
    reads.wrappingAdd(1, ordering: .relaxed)
    return super.userInfo
  }
}

@Suite struct CheckedResponsesTests {
  private static let body = Data("the body".utf8)

  private static func cached(_ number: Int = 1) throws -> CachedURLResponse {
    let url = try #require(URL(string: "http://x.test/\(number)"))
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "max-age=3600"]))
    return CachedURLResponse(response: response, data: body)
  }

  private static func found(_ cached: CachedURLResponse) throws -> CacheStore.Found {
    let response = try #require(cached.response as? HTTPURLResponse)
    let fields = response.fields
    let facts = CacheRules.Stored(
      url: response.url?.absoluteString ?? "", status: 200, fields: CacheFields(fields), provenance: nil)
    return CacheStore.Found(cached: cached, response: response, fields: fields, facts: facts)
  }

  @Test func `what was found out about an object is known of that object alone, and does not keep it`() throws {
    var checked = CheckedResponses()
    weak var gone: CachedURLResponse?
    do {
      let (cached, equal) = (try Self.cached(), try Self.cached())
      gone = cached
      #expect(checked.found(in: cached) == nil)
      checked.add(try Self.found(cached))
      #expect(try #require(checked.found(in: cached)).facts.fields.directives.seconds("max-age") == 3600)
      #expect(checked.found(in: equal) == nil)
    }
    #expect(gone == nil)
  }

  @Test func `of many objects the last ones are known`() throws {
    var checked = CheckedResponses()
    let all = try (0...CheckedResponses.countLimit).map { try Self.cached($0) }
    for cached in all { checked.add(try Self.found(cached)) }
    #expect(checked.found(in: all[0]) == nil)
    #expect(checked.found(in: try #require(all.last)) != nil)
  }

  @Test func `the cache in memory answers with the same object, until another response takes its place`() async throws {
    let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    let store = CacheStore.over(cache)
    let cached = try Self.cached()
    let url = try #require(cached.response.url)
    func look() async -> CacheStore.Found? {
      await withCheckedContinuation { done in store.find(url) { done.resume(returning: $0) } }
    }
    let record = CacheRecord(requested: 1, received: 2, selectors: ["accept": 7], digest: 0)
    await withCheckedContinuation { done in store.keep(cached, record, for: url) { done.resume() } }
    let (first, second) = (try #require(await look()), try #require(await look()))
    #expect(first.cached === second.cached)
    #expect(second.facts == first.facts)
    #expect(second.facts.provenance?.received == 2)
    // A program puts another body under the record: it is checked, however well the first is known.
    let forged = CachedURLResponse(
      response: cached.response, data: Data("another".utf8), userInfo: first.cached.userInfo, storagePolicy: .allowed)
    cache.storeCachedResponse(forged, for: URLRequest(url: url))
    #expect(await look() == nil)
  }

  @Test func `the record of a response in memory is read once`() async throws {
    let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    let plain = try Self.cached()
    let url = try #require(plain.response.url)
    let counted = CountedResponse(response: plain.response, data: plain.data, userInfo: nil, storagePolicy: .allowed)
    cache.storeCachedResponse(counted, for: URLRequest(url: url))
    let store = CacheStore.over(cache)
    let before = counted.reads.load(ordering: .relaxed)
    for _ in 0..<3 {
      let found = await withCheckedContinuation { done in store.find(url) { done.resume(returning: $0) } }
      #expect(found != nil)
    }
    #expect(counted.reads.load(ordering: .relaxed) == before + 1)
  }
}
