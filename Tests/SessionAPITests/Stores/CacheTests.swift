// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// B.9, B.14: what a session's delegate decides about the cache, and the configuration's part in it.
@Suite struct CacheTests {
  private static let body = Data(SeededBody(seed: 1).bytes(0..<100_000))
  private static let routes = [
    Route(
      "/x",
      script: .response(
        Response(fields: [HeaderField("Cache-Control", "max-age=3600")], body: .seeded(seed: 1, range: 0..<100_000))))
  ]

  private func configuration(_ change: (URLSessionConfiguration) -> Void = { _ in }) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    change(configuration)
    return configuration
  }

  /// Loads `/x` once and answers the events and what is stored then.
  private func load(
    _ reactions: Reactions = Reactions(), _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) async throws -> (events: [Event], stored: CachedURLResponse?) {
    let configuration = configuration(change)
    let fixture = try Fixture(Self.routes, reactions, configuration: configuration)
    fixture.session.dataTask(with: try fixture.url("/x")).resume()
    let events = try await fixture.events()
    return (events, configuration.urlCache?.cachedResponse(for: try fixture.request("/x")))
  }

  @Test func `the delegate is asked after all data and before the completion (B.10)`() async throws {
    let (events, stored) = try await load()
    #expect(events.order == ["created", "response", "data", "cached", "complete", "invalid"])
    #expect(events.contains(.cached(100_000)))
    #expect(stored?.data == Self.body)
  }

  @Test func `nil stores nothing, nor does a policy that forbids it`() async throws {
    var reactions = Reactions()
    reactions.cache = { $1(nil) }
    #expect(try await load(reactions).stored == nil)
    reactions.cache = { $1(CachedURLResponse(response: $0.response, data: $0.data, storagePolicy: .notAllowed)) }
    #expect(try await load(reactions).stored == nil)
  }

  @Test func `what the delegate changed is what is stored, and only the first answer counts`() async throws {
    var reactions = Reactions()
    reactions.cache = { response, answer in
      answer(
        CachedURLResponse(
          response: response.response, data: Data("other".utf8), userInfo: ["mine": "kept"],
          storagePolicy: .allowedInMemoryOnly))
      answer(nil)
    }
    let stored = try #require(try await load(reactions).stored)
    #expect(stored.data == Data("other".utf8))
    #expect(stored.userInfo?["mine"] as? String == "kept")
    #expect(stored.storagePolicy == .allowedInMemoryOnly)
  }

  @Test func `a body larger than a twentieth of the cache is not stored (A.9)`() async throws {
    let (events, stored) = try await load {
      $0.urlCache = URLCache(memoryCapacity: 1_999_980, diskCapacity: 0, diskPath: "/dev/null/x")
    }
    #expect(stored == nil)
    #expect(!events.order.contains("cached"))
    #expect(
      try await load { $0.urlCache = URLCache(memoryCapacity: 2_000_000, diskCapacity: 0, diskPath: "/dev/null/x") }
        .stored != nil)
  }

  @Test func `without a cache nobody is asked`() async throws {
    #expect(
      try await load { $0.urlCache = nil }.events.order == ["created", "response", "data", "complete", "invalid"])
  }

  @Test func `from the cache the delegate gets response and data, and is not asked again`() async throws {
    let configuration = configuration()
    let fixture = try Fixture(Self.routes, configuration: configuration)
    for ends in 1...2 {
      fixture.session.dataTask(with: try fixture.url("/x")).resume()
      try await fixture.recorder.log.wait { $0.ends == ends }
    }
    let events = try await fixture.events(after: 2)
    #expect(events.count { $0 == .cached(100_000) } == 1)
    #expect(events.dataBytes == 200_000)
    #expect(fixture.server.log.counts.begun == 1)
    let other = URLSession(configuration: configuration)
    defer { other.invalidateAndCancel() }
    #expect(try await other.data(from: try fixture.url("/x")).0 == Self.body)
    #expect(fixture.server.log.counts.begun == 1)
  }

  @Test func `the configuration's policy counts where the request has none`() async throws {
    let configuration = configuration { $0.requestCachePolicy = .returnCacheDataDontLoad }
    let fixture = try Fixture(Self.routes, configuration: configuration)
    let error = await #expect(throws: URLError.self) { try await fixture.session.data(from: try fixture.url("/x")) }
    #expect(error?.code == .resourceUnavailable)
    var request = try fixture.request("/x")
    request.cachePolicy = .returnCacheDataElseLoad
    #expect(try await fixture.session.data(for: request).0 == Self.body)
    #expect(try await fixture.session.data(from: try fixture.url("/x")).0 == Self.body)
    #expect(fixture.server.log.counts.begun == 1)
  }

  @Test func `a disk keeps responses for the next session, and a changed body is not served: CA-05`() async throws {
    let directory = try TestDirectory()
    let path = directory.url.appending(path: "cache").path
    func cache() -> URLCache { URLCache(memoryCapacity: 0, diskCapacity: 20 << 20, diskPath: path) }
    let fixture = try Fixture(Self.routes, configuration: configuration { $0.urlCache = cache() })
    let url = try fixture.url("/x")
    _ = try await fixture.session.data(from: url)
    let second = URLSession(configuration: configuration { $0.urlCache = cache() })
    defer { second.invalidateAndCancel() }
    #expect(try await second.data(from: url).0 == Self.body)
    #expect(fixture.server.log.counts.begun == 1)
    let stored = try #require(cache().cachedResponse(for: URLRequest(url: url)))
    cache().storeCachedResponse(
      CachedURLResponse(
        response: stored.response, data: stored.data.dropLast(), userInfo: stored.userInfo, storagePolicy: .allowed),
      for: URLRequest(url: url))
    let third = URLSession(configuration: configuration { $0.urlCache = cache() })
    defer { third.invalidateAndCancel() }
    #expect(try await third.data(from: url).0 == Self.body)
    #expect(fixture.server.log.counts.begun == 2)
  }

  @Test func `a program's own entry answers under returnCacheDataElseLoad`() async throws {
    let configuration = configuration()
    let fixture = try Fixture(Self.routes, configuration: configuration)
    let response = try #require(
      HTTPURLResponse(url: try fixture.url("/x"), statusCode: 200, httpVersion: nil, headerFields: [:]))
    var request = try fixture.request("/x")
    configuration.urlCache?.storeCachedResponse(
      CachedURLResponse(response: response, data: Data("mine".utf8)), for: request)
    request.cachePolicy = .returnCacheDataElseLoad
    #expect(try await fixture.session.data(for: request).0 == Data("mine".utf8))
    #expect(fixture.server.log.counts.begun == 0)
  }

  @Test func `a cache takes our tasks (L.2)`() async throws {
    let configuration = configuration()
    let fixture = try Fixture(Self.routes, configuration: configuration)
    let cache = try #require(configuration.urlCache)
    let task = fixture.session.dataTask(with: try fixture.url("/x"))
    let response = URLResponse(
      url: try fixture.url("/x"), mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
    cache.storeCachedResponse(CachedURLResponse(response: response, data: Data([1])), for: task)
    cache.getCachedResponse(for: task) { #expect($0?.data == Data([1])) }
    #expect(await cache.cachedResponse(for: task)?.data == Data([1]))
    cache.removeCachedResponse(for: task)
    cache.getCachedResponse(for: task) { #expect($0 == nil) }
    #expect(await cache.cachedResponse(for: task) == nil)
    task.cancel()
  }

  @Test func `an ephemeral configuration has a cache of its own, in memory; default has the shared one (B.3)`() throws {
    let (one, other) = (URLSessionConfiguration.ephemeral, URLSessionConfiguration.ephemeral)
    #expect(one.urlCache != nil && one.urlCache !== other.urlCache)
    #expect(one.urlCache?.diskCapacity == 0)
    #expect(URLSessionConfiguration.default.urlCache === URLCache.shared)
    #expect(URLSessionConfiguration.default.requestCachePolicy == .useProtocolCachePolicy)
  }
}
