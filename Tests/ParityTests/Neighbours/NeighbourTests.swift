// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Whatever a server does to one load, the loads beside and behind it on the same host keep their own bodies (U3, U8).
///
/// Some hundred cases in every run. For more, `WORKBENCH_NEIGHBOURS=2000`, and for others `WORKBENCH_NEIGHBOUR_SEED=7`; the
/// seed of a breach stands in its report, and with that and a count of 1 it is the only one.
@Suite struct NeighbourTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["WORKBENCH_NEIGHBOURS"].flatMap { Int($0) } ?? 210
  private static let first = environment["WORKBENCH_NEIGHBOUR_SEED"].flatMap { UInt64($0) } ?? 1

  /// So many seeds for each kind that all kinds together have the count of cases.
  private static var seeds: Range<UInt64> {
    first..<first + UInt64(max(1, count / 2 / NeighbourTally.casesPerSeed / ClientKind.allCases.count))
  }

  @Test(arguments: ClientKind.allCases)
  func `a broken answer of HTTP/1.1 leaves the loads around it in order (U3, U8)`(kind: ClientKind) async throws {
    for seed in Self.seeds {
      var run = NeighbourRun(kind, seed: seed)
      try await run.run()
      run.tally.expectOrder(loadsPerCase: 4)
    }
  }

  @Test(arguments: ClientKind.allCases)
  func `a broken answer of HTTP/2 leaves the loads around it in order (U3, U8)`(kind: ClientKind) async throws {
    for seed in Self.seeds {
      var run = FrameNeighbourRun(kind, seed: seed)
      try await run.run()
      run.tally.expectOrder(loadsPerCase: 5)
    }
  }
}
