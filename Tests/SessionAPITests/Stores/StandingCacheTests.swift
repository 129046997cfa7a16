// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@testable import SessionAPI

/// A cache that stands still holds a load up no longer than `timeoutIntervalForResource`.
@Suite struct StandingCacheTests {
  /// Stands still in one of its methods until `release()`.
  private final class StandingCache: URLCache, @unchecked Sendable {
    enum Place { case lookup, storing }

    // Sendable: as its superclass; its properties are constant.
    private let place: Place
    private let gate = DispatchSemaphore(value: 0)
    private let reached = Locked(false)

    init(at place: Place) {
      self.place = place
      super.init(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: "/dev/null/none")
    }

    func release() { gate.signal() }

    /// True if one of its methods stands, or has stood, still.
    var isReached: Bool { reached.withLock { $0 } }

    private func pass(_ place: Place) {
      guard place == self.place else { return }
      reached.withLock { $0 = true }
      gate.wait()
      gate.signal()
    }

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
      pass(.lookup)
      return super.cachedResponse(for: request)
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
      pass(.storing)
      super.storeCachedResponse(cachedResponse, for: request)
    }
  }

  private static let routes = [
    Route(
      "/x",
      script: .response(
        Response(fields: [HeaderField("Cache-Control", "max-age=3600")], body: .seeded(seed: 1, range: 0..<1000))))
  ]

  private func load(with cache: StandingCache, seconds: Double) async throws -> Data {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = cache
    configuration.timeoutIntervalForResource = seconds
    let fixture = try Fixture(Self.routes, configuration: configuration)
    defer { cache.release() }
    return try await fixture.session.data(from: try fixture.url("/x")).0
  }

  @Test(.timeLimit(.minutes(1))) func `a lookup that stands still is timed out`() async throws {
    let cache = StandingCache(at: .lookup)
    let error = await #expect(throws: URLError.self) { try await load(with: cache, seconds: 0.3) }
    #expect(error?.code == .timedOut)
  }

  @Test(.enabled(if: TestMachine.keepsTime), .timeLimit(.minutes(1)))
  func `a whole response succeeds although its storing stands still`() async throws {
    let cache = StandingCache(at: .storing)
    #expect(try await load(with: cache, seconds: 3).count == 1000)
  }

  @Test(.timeLimit(.minutes(1))) func `a cache that stands still holds up no load with another one`() async throws {
    let (standing, other) = (StandingCache(at: .lookup), StandingCache(at: .storing))
    let first = Task { try await load(with: standing, seconds: 60).count }
    while !standing.isReached { await Task.yield() }
    other.release()
    #expect(try await load(with: other, seconds: 20).count == 1000)
    standing.release()
    #expect(try await first.value == 1000)
  }
}
