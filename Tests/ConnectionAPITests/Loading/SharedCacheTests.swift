// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import TestSupport
import Testing

/// A.9: the cache is what `URLCache.shared` is when a load is made. In processes of their own, because others share it.
@Suite(.exitTests) struct SharedCacheTests {
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

  @Test func `a load that skips the cache passes none of the same URL that waits for it (CA-12)`() async {
    await #expect(processExitsWith: .success) {
      // What is stored would wait for the lookup, too.
      let answer = Response(fields: [HeaderField("Cache-Control", "no-store")], body: .bytes(Array("ok".utf8)))
      let server = LessonServer(routes: [Route("/*", script: .response(answer))])
      try server.start()
      let cache = SlowCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: "/dev/null/none")
      URLCache.shared = cache
      let queue = OperationQueue()
      func load(_ path: String, _ policy: URLRequest.CachePolicy) throws -> Task<Data, any Error> {
        var request = try server.request(path)
        request.cachePolicy = policy
        return Task { [request] in try await NSURLConnection.sendAsynchronousRequest(request, queue: queue).1 }
      }
      let first = try load("/slow", .useProtocolCachePolicy)
      #expect(await Task.detached { cache.begun.waitPatiently() }.value)
      let skipping = try load("/slow", .reloadIgnoringLocalCacheData)
      // Loads of other URLs come and go meanwhile.
      for _ in 0..<5 {
        #expect(try await load("/other", .reloadIgnoringLocalCacheData).value == Data("ok".utf8))
      }
      #expect(Set(server.log.snapshot().requests.map(\.target)) == ["/other"])
      cache.door.signal()
      #expect(try await first.value == Data("ok".utf8))
      #expect(try await skipping.value == Data("ok".utf8))
      #expect(server.log.counts.begun == 7)
    }
  }

  private static func server() throws -> LessonServer {
    let field = HeaderField("Cache-Control", "max-age=3600")
    let server = LessonServer(routes: [
      Route("/large", script: .response(Response(fields: [field], body: .seeded(seed: 1, range: 0..<1_100_000)))),
      Route("/*", script: .response(Response(fields: [field], body: .bytes(Array("ok".utf8))))),
    ])
    try server.start()
    return server
  }

  @Test func `a program may set another shared cache at any time, and each load uses the one of its moment (A.9)`()
    async
  {
    await #expect(processExitsWith: .success) {
      let server = try SharedCacheTests.server()
      let request = try server.request("/x")
      func count() async throws -> Int {
        _ = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue())
        return server.log.counts.begun
      }
      let (one, two) = (SharedCacheTests.cache(), SharedCacheTests.cache())
      URLCache.shared = one
      #expect(try await count() == 1)
      #expect(try await count() == 1)
      URLCache.shared = two
      #expect(try await count() == 2)
      #expect(two.cachedResponse(for: request) != nil)
      URLCache.shared = one
      #expect(try await count() == 2)
      one.removeAllCachedResponses()
      #expect(try await count() == 3)
    }
  }

  @Test func `a large answer without a lifetime is stored, for the policies that take it at any age (CA-11)`() async {
    await #expect(processExitsWith: .success) {
      let large = SeededBody(seed: 4).bytes(0..<5_000_000)
      let server = LessonServer(routes: [Route("/large", script: .response(Response(body: .bytes(large))))])
      try server.start()
      URLCache.shared = URLCache(memoryCapacity: 200 << 20, diskCapacity: 0, diskPath: nil)
      for policy in [URLRequest.CachePolicy.useProtocolCachePolicy, .returnCacheDataDontLoad] {
        var request = try server.request("/large")
        request.cachePolicy = policy
        let (_, data) = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue())
        let isWhole = data == Data(large)
        #expect(isWhole)
      }
      #expect(server.log.counts.begun == 1)
    }
  }

  @Test func `a body of more than a twentieth of the disk's capacity is not stored (A.9)`() async {
    await #expect(processExitsWith: .success) {
      let server = try SharedCacheTests.server()
      let request = try server.request("/large")
      #expect(URLCache.shared.diskCapacity == 20 << 20, "so 1 MiB is the limit")
      for number in 1...2 {
        _ = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue())
        #expect(server.log.counts.begun == number)
      }
      URLCache.shared.diskCapacity = 40 << 20
      for _ in 3...4 { _ = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue()) }
      #expect(server.log.counts.begun == 3)
    }
  }

  private static func cache() -> URLCache {
    URLCache(memoryCapacity: 8 << 20, diskCapacity: 0, diskPath: "/dev/null/none")
  }
}
