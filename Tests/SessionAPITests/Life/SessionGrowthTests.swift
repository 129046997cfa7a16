// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// What sessions cost that are made and kept: as much for each at any number. In processes of their own, whose descriptors and
/// processor time are counted.
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
}
