// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// B.14: a 200 without lifetime and validator is offered and stored, for the policies that take it at any age alone.
@Suite struct PlainResponseCacheTests {
  /// A cache whose lookups of one path wait.
  private final class SlowCache: URLCache, @unchecked Sendable {
    // Sendable: nothing changes but the semaphores.
    let begun = DispatchSemaphore(value: 0)
    let door = DispatchSemaphore(value: 0)

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
      guard request.url?.path == "/slow" else { return nil }
      begun.signal()
      _ = door.waitPatiently()
      return nil
    }
  }

  /// Each answer's body is its number.
  private static func numbered(_ fields: [HeaderField] = []) -> Route {
    let count = Locked(0)
    return Route("/*") { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      let own = request.head.target.contains("fresh") ? [HeaderField("Cache-Control", "max-age=3600")] : fields
      return .response(Response(fields: own, body: .bytes(Array("\(number)".utf8))))
    }
  }

  private func text(
    _ fixture: Fixture, _ path: String, _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
    _ delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> String {
    var request = try fixture.request(path)
    request.cachePolicy = policy
    return String(decoding: try await fixture.session.data(for: request, delegate: delegate).0, as: UTF8.self)
  }

  @Test(arguments: [[], [HeaderField("Cache-Control", "max-age=0")]])
  func `the protocol's policy loads anew, and the last answer is what is stored (CA-11)`(fields: [HeaderField])
    async throws
  {
    let fixture = try Fixture([Self.numbered(fields)])
    for number in 1...5 { #expect(try await text(fixture, "/x") == "\(number)") }
    #expect(try await text(fixture, "/x", .returnCacheDataDontLoad) == "5")
    #expect(try await text(fixture, "/x", .returnCacheDataElseLoad) == "5")
    #expect(fixture.server.log.counts.begun == 5)
  }

  @Test func `it is offered to the delegate, whose nil stores nothing (CA-11)`() async throws {
    var reactions = Reactions()
    reactions.cache = { $1(nil) }
    let refusing = try Fixture([Self.numbered()], reactions)
    refusing.session.dataTask(with: try refusing.url("/x")).resume()
    try await refusing.recorder.log.wait { $0.ends == 1 }
    #expect(refusing.recorder.log.all.contains(.cached(1)))
    let error = await #expect(throws: URLError.self) { try await text(refusing, "/x", .returnCacheDataDontLoad) }
    #expect(error?.code == .resourceUnavailable)
    let taking = try Fixture([Self.numbered()])
    taking.session.dataTask(with: try taking.url("/x")).resume()
    try await taking.recorder.log.wait { $0.ends == 1 }
    #expect(taking.recorder.log.all.contains(.cached(1)))
    #expect(
      taking.session.configuration.urlCache?.cachedResponse(for: try taking.request("/x"))?.data == Data("1".utf8))
    #expect(try await text(taking, "/x", .returnCacheDataDontLoad) == "1")
  }

  @Test func `a large one that no delegate decides about is stored, too (CA-11)`() async throws {
    let large = SeededBody(seed: 4).bytes(0..<5_000_000)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = URLCache(memoryCapacity: 200 << 20, diskCapacity: 0, diskPath: nil)
    let fixture = try Fixture(
      [Route("/large", script: .response(Response(body: .bytes(large))))], configuration: configuration)
    for policy in [URLRequest.CachePolicy.useProtocolCachePolicy, .returnCacheDataDontLoad] {
      var request = try fixture.request("/large")
      request.cachePolicy = policy
      let isWhole = try await fixture.session.data(for: request).0 == Data(large)
      #expect(isWhole)
    }
    #expect(fixture.server.log.counts.begun == 1)
  }

  @Test(arguments: [4 << 20, 16 << 20])
  func `a body of more than a twentieth of the memory is not stored for it, whatever the disk (CA-11)`(memory: Int)
    async throws
  {
    let directory = try TestDirectory()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = URLCache(memoryCapacity: memory, diskCapacity: 200 << 20, directory: directory.url)
    let route = Route("/x", script: .response(Response(body: .seeded(seed: 1, range: 0..<500_000))))
    let fixture = try Fixture([route], configuration: configuration)
    _ = try await text(fixture, "/x")
    let stored = try? await text(fixture, "/x", .returnCacheDataDontLoad)
    #expect((stored != nil) == (memory > 10 << 20))
  }

  @Test(arguments: ["POST", "authorized", "no-store", "ranged"])
  func `what may not be stored is not`(kind: String) async throws {
    let fixture = try Fixture([Self.numbered(kind == "no-store" ? [HeaderField("Cache-Control", "no-store")] : [])])
    var request = try fixture.request("/x")
    if kind == "POST" { request.httpMethod = "POST" }
    if kind == "authorized" { request.setValue("Bearer x", forHTTPHeaderField: "Authorization") }
    if kind == "ranged" { request.setValue("bytes=0-", forHTTPHeaderField: "Range") }
    _ = try await fixture.session.data(for: request)
    let error = await #expect(throws: URLError.self) { try await text(fixture, "/x", .returnCacheDataDontLoad) }
    #expect(error?.code == .resourceUnavailable)
  }

  /// Notes what it is asked for.
  private final class NotingCache: URLCache, @unchecked Sendable {
    // Sendable: as its superclass; the notes are locked.
    let languages = Locked<[String?]>([])

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
      languages.withLock { $0.append(request.value(forHTTPHeaderField: "Accept-Language")) }
      return super.cachedResponse(for: request)
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
      languages.withLock { $0.append(request.value(forHTTPHeaderField: "Accept-Language")) }
      super.storeCachedResponse(cachedResponse, for: request)
    }
  }

  @Test func `a program's own cache is asked with the request's fields`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    let cache = NotingCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
    configuration.urlCache = cache
    let fields = [HeaderField("Cache-Control", "max-age=3600"), HeaderField("Vary", "Accept-Language")]
    let fixture = try Fixture([Self.numbered(fields)], configuration: configuration)
    var bodies: [String] = []
    for language in ["de", "fr", "de"] {
      var request = try fixture.request("/x")
      request.setValue(language, forHTTPHeaderField: "Accept-Language")
      bodies.append(String(decoding: try await fixture.session.data(for: request).0, as: UTF8.self))
    }
    #expect(bodies == ["1", "2", "1"])
    #expect(cache.languages.withLock { $0 } == ["de", "de", "fr", "fr", "de"])
  }

  @Test func `a change takes it out again`() async throws {
    let fixture = try Fixture([Self.numbered()])
    _ = try await text(fixture, "/x")
    var change = try fixture.request("/x")
    change.httpMethod = "DELETE"
    _ = try await fixture.session.data(for: change)
    let error = await #expect(throws: URLError.self) { try await text(fixture, "/x", .returnCacheDataDontLoad) }
    #expect(error?.code == .resourceUnavailable)
  }

  @Test func `it displaces no response of another query (CA-11)`() async throws {
    let fixture = try Fixture([Self.numbered()], configuration: .ephemeral)
    #expect(try await text(fixture, "/x?fresh") == "1")
    #expect(try await text(fixture, "/x?plain") == "2")
    #expect(try await text(fixture, "/x?fresh") == "1")
    #expect(fixture.server.log.counts.begun == 2)
  }

  @Test
  func `a load that skips the cache passes none of the same URL that waits for it, and waits for no other (CA-12)`()
    async throws
  {
    let cache = SlowCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: "/dev/null/none")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = cache
    configuration.httpMaximumConnectionsPerHost = 1
    let fixture = try Fixture([Self.numbered()], configuration: configuration)
    async let first = text(fixture, "/slow")
    let begun = await Task.detached { cache.begun.waitPatiently() }.value
    #expect(begun)
    // Both are begun before the third, which ends while they wait.
    let ended = EventLog<String>()
    for (path, policy) in [
      ("/slow", URLRequest.CachePolicy.reloadIgnoringLocalCacheData), ("/other", .reloadIgnoringLocalCacheData),
    ] {
      var request = try fixture.request(path)
      request.cachePolicy = policy
      fixture.session.dataTask(with: request) { data, _, _ in
        ended.append(path + " " + String(decoding: data ?? Data(), as: UTF8.self))
      }.resume()
    }
    #expect(try await ended.wait { $0.count == 1 } == ["/other 1"])
    cache.door.signal()
    #expect(try await first == "2")
    #expect(try await ended.wait { $0.count == 2 } == ["/other 1", "/slow 3"])
  }
}
