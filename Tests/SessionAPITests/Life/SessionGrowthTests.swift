// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// What there may be many of costs as much for each at any number: twice as many cost at most 2.3 of the processor time. In
/// processes of their own, whose descriptors and processor time are counted; Scripts/Benchmarks has the long forms.
@Suite(.enabled(if: !TestMachine.isSanitized)) struct SessionGrowthTests {
  /// Of the process, in seconds (clock(3)).
  private static var processorTime: Double { Double(clock()) / 1e6 }

  /// The least processor time of several: what else runs on the machine makes a time longer, never shorter.
  private static func least(_ job: () async throws -> Void) async throws -> Double {
    var least = Double.infinity
    for _ in 0..<4 {
      let start = processorTime
      try await job()
      least = min(least, processorTime - start)
    }
    return least
  }

  @Test func `twice as many sessions cost at most 2.3 of the processor time, and none a descriptor`() async {
    await #expect(processExitsWith: .success) {
      var kept: [URLSession] = []
      func make(_ count: Int) { for _ in 0..<count { kept.append(URLSession(configuration: .ephemeral)) } }
      make(100)
      let descriptors = ProcessUsage.descriptors
      let half = try await SessionGrowthTests.least { make(500) }
      let whole = try await SessionGrowthTests.least { make(1000) }
      #expect(whole <= 2.3 * half, "\(half) \(whole)")
      #expect(ProcessUsage.descriptors == descriptors)
    }
  }

  @Test func `a first load costs no more beside thousands of descriptors`() async {
    await #expect(processExitsWith: .success) {
      let server = LessonServer(routes: [Route("/ok", script: .response(.text("ok")))])
      try server.start()
      let url = try #require(URL(string: server.url("/ok")))
      var kept: [URLSession] = []
      func load(_ count: Int) async throws {
        for _ in 0..<count {
          let session = URLSession(configuration: .ephemeral)
          kept.append(session)
          _ = try await session.data(from: url)
        }
      }
      try await load(20)
      let few = try await SessionGrowthTests.least { try await load(30) }
      let others = (0..<3000).map { _ in open("/dev/null", O_RDONLY) }
      #expect(others.allSatisfy { $0 >= 0 })
      let many = try await SessionGrowthTests.least { try await load(30) }
      #expect(many <= 2 * few, "\(few) \(many)")
    }
  }

  /// Tasks that wait for six connections.
  @Test func `twice as many tasks begun at once cost at most 2.3 of the processor time`() async {
    await #expect(processExitsWith: .success) {
      let server = LessonServer(routes: [Route("/ok", script: .response(.text("ok")))])
      try server.start()
      let url = try #require(URL(string: server.url("/ok")))
      let session = URLSession(configuration: .ephemeral)
      func load(_ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<count { group.addTask { _ = try await session.data(from: url) } }
          try await group.waitForAll()
        }
      }
      // Before, for threads and memory that the first ones bring into being.
      try await load(2000)
      try await SessionGrowthTests.expectLinear(half: 1000, load)
    }
  }

  @Test func `twice as many cookies cost at most 2.3 of the processor time`() async {
    await #expect(processExitsWith: .success) {
      try await SessionGrowthTests.expectLinear(half: 1000) { count in
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        for number in 0..<count {
          let host = "host\(number / 10).test"
          let cookie = HTTPCookie(properties: [.name: "c\(number)", .value: "v", .domain: host, .path: "/"])
          storage.setCookie(try #require(cookie))
        }
        for host in 0..<count / 10 {
          let url = try #require(URL(string: "http://host\(host).test/"))
          #expect(storage.cookies(for: url)?.count == 10)
        }
      }
    }
  }

  @Test func `twice as many stored answers cost at most 2.3 of the processor time`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TestDirectory()
      try await SessionGrowthTests.expectLinear(half: 200) { count in
        let cache = URLCache(
          memoryCapacity: 1 << 20, diskCapacity: 64 << 20, diskPath: folder.url.path + "/" + UUID().uuidString)
        for number in 0..<count {
          let url = try #require(URL(string: "http://127.0.0.1/\(number)"))
          let fields = ["Cache-Control": "max-age=60"]
          let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
          let stored = CachedURLResponse(response: response, data: Data(repeating: 1, count: 1024))
          cache.storeCachedResponse(stored, for: URLRequest(url: url))
          #expect(cache.cachedResponse(for: URLRequest(url: url)) != nil)
        }
      }
    }
  }

  private static func expectLinear(half count: Int, _ work: (Int) async throws -> Void) async throws {
    let half = try await least { try await work(count) }
    let whole = try await least { try await work(2 * count) }
    #expect(whole <= 2.3 * half, "\(half) \(whole)")
  }
}
