// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// Objects of which there may be many cost as much for each at any number. In processes of their own, whose descriptors and
/// processor time are counted; Scripts/Benchmarks has the long forms, in which twice as many cost at most 2.3.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct SessionGrowthTests {
  /// Of the process, in seconds (clock(3)).
  private static var processorTime: Double { Double(clock()) / 1e6 }

  /// The least processor time of several: what else runs on the machine makes a time longer, never shorter.
  private static func least(_ job: () async throws -> Void) async throws -> Double {
    var least = Double.infinity
    for _ in 0..<4 { least = min(least, try await processorTime(job)) }
    return least
  }

  @Test func `four times as many sessions cost at most 6.5 of the processor time, and none a descriptor`() async {
    await #expect(processExitsWith: .success) {
      var kept: [URLSession] = []
      func make(_ count: Int) { for _ in 0..<count { kept.append(URLSession(configuration: .ephemeral)) } }
      make(100)
      let descriptors = ProcessUsage.descriptors
      try await SessionGrowthTests.expectLinear(from: 250) { count in make(count) }
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
  @Test func `four times as many tasks begun at once cost at most 6.5 of the processor time`() async {
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
      try await SessionGrowthTests.expectLinear(from: 500, load)
    }
  }

  @Test func `four times as many cookies cost at most 6.5 of the processor time`() async {
    await #expect(processExitsWith: .success) {
      try await SessionGrowthTests.expectLinear(from: 500) { count in
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

  /// In memory: what a disk costs depends on its journal.
  @Test func `four times as many stored answers cost at most 6.5 of the processor time`() async {
    await #expect(processExitsWith: .success) {
      try await SessionGrowthTests.expectLinear(from: 250) { count in
        let cache = URLCache(memoryCapacity: 64 << 20, diskCapacity: 0, diskPath: nil)
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

  /// Four times as many, for the machine's noise is less than the distance from 4 to the 16 of quadratic growth. By turns, so
  /// that both are measured beside the same work of others.
  private static func expectLinear(from count: Int, _ work: (Int) async throws -> Void) async throws {
    var (few, many) = (Double.infinity, Double.infinity)
    for _ in 0..<6 {
      few = min(few, try await processorTime { try await work(count) })
      many = min(many, try await processorTime { try await work(4 * count) })
    }
    #expect(many <= 6.5 * few, "\(few) \(many)")
  }

  private static func processorTime(_ job: () async throws -> Void) async throws -> Double {
    let start = processorTime
    try await job()
    return processorTime - start
  }
}
