// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// A.7, A.9: a connection's delegate and the cache, which is the shared one (in the tests' own home).
@Suite struct CacheTests {
  private final class Delegate: NSObject, NSURLConnectionDataDelegate, Sendable {
    let calls = Locked("")
    let ended = DispatchSemaphore(value: 0)
    let answer: @Sendable (CachedURLResponse) -> CachedURLResponse?

    init(_ answer: @escaping @Sendable (CachedURLResponse) -> CachedURLResponse?) { self.answer = answer }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) { calls.withLock { $0 += "r" } }
    func connection(_ connection: NSURLConnection, didReceive data: Data) { calls.withLock { $0 += "d" } }
    func connection(
      _ connection: NSURLConnection, willCacheResponse cachedResponse: CachedURLResponse
    ) -> CachedURLResponse? {
      calls.withLock { $0 += "c" }
      return answer(cachedResponse)
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      calls.withLock { $0 += "f" }
      ended.signal()
    }
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      calls.withLock { $0 += "e" }
      ended.signal()
    }
  }

  /// Loads the same URL twice; answers the calls of both, what is stored, and how many requests the server saw.
  private func loadTwice(
    _ fields: [HeaderField] = [HeaderField("Cache-Control", "max-age=3600")],
    _ answer: @escaping @Sendable (CachedURLResponse) -> CachedURLResponse?
  ) async throws -> (calls: [String], stored: CachedURLResponse?, requests: Int) {
    let path = "/\(UUID().uuidString)"
    let server = LessonServer(
      routes: [Route(path, script: .response(Response(fields: fields, body: .bytes(Array("ok".utf8)))))])
    try server.start()
    defer { server.stop() }
    let request = URLRequest(url: try #require(URL(string: server.url(path))))
    var calls: [String] = []
    for _ in 1...2 {
      let delegate = Delegate(answer)
      let connection = try #require(NSURLConnection(request: request, delegate: delegate, startImmediately: false))
      connection.setDelegateQueue(OperationQueue())
      connection.start()
      let isOver = try await onThread { delegate.ended.waitPatiently() }
      #expect(isOver)
      calls.append(delegate.calls.withLock { $0 })
    }
    return (calls, URLCache.shared.cachedResponse(for: request), server.log.counts.begun)
  }

  @Test func `the delegate is asked after the data and before the end, and not for a stored response (A.4)`()
    async throws
  {
    let (calls, stored, requests) = try await loadTwice { $0 }
    #expect(calls == ["rdcf", "rdf"])
    #expect(stored?.data == Data("ok".utf8))
    #expect(requests == 1)
  }

  @Test func `a 200 without lifetime and validator is offered and stored, and loaded anew (A.9)`() async throws {
    let (calls, stored, requests) = try await loadTwice([]) { $0 }
    #expect(calls == ["rdcf", "rdcf"])
    #expect(stored?.data == Data("ok".utf8))
    #expect(requests == 2)
  }

  @Test func `nil stores nothing (A.7)`() async throws {
    let (calls, stored, requests) = try await loadTwice { _ in nil }
    #expect(calls == ["rdcf", "rdcf"])
    #expect(stored == nil)
    #expect(requests == 2)
  }

  @Test func `a changed copy is stored in place of the response (A.7)`() async throws {
    let (calls, stored, requests) = try await loadTwice {
      CachedURLResponse(
        response: $0.response, data: $0.data, userInfo: ["mine": "kept"], storagePolicy: .allowedInMemoryOnly)
    }
    #expect(calls == ["rdcf", "rdf"])
    #expect(stored?.userInfo?["mine"] as? String == "kept")
    #expect(stored?.storagePolicy == .allowedInMemoryOnly)
    #expect(requests == 1)
  }
}
