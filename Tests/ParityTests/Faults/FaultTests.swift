// SPDX-License-Identifier: Apache-2.0
import LessonServer
import ServerParts
import SessionAPI
import Testing

/// The fault catalogue on both APIs: each case on every face at the same time, the cases one after the other.
@Suite(.serialized) struct FaultTests {
  @Test(arguments: FaultCatalogue.http1)
  func `every fault of HTTP 1.1 ends as it must on both APIs`(fault: FaultCase) async throws {
    try await expectNoBreach(of: fault)
  }

  @Test(arguments: FaultCatalogue.redirects)
  func `every redirect ends as it must on both APIs`(fault: FaultCase) async throws {
    try await expectNoBreach(of: fault)
  }

  @Test(arguments: FaultCatalogue.codings)
  func `every content coding ends as it must on both APIs`(fault: FaultCase) async throws {
    try await expectNoBreach(of: fault)
  }

  @Test(arguments: FaultCatalogue.http1.compactMap(\.dripped))
  func `one byte at a time changes nothing (H1-41)`(fault: FaultCase) async throws {
    try await expectNoBreach(of: fault, on: [.connection, .dataTask])
  }

  private func expectNoBreach(of fault: FaultCase, on faces: [Face] = Face.allCases) async throws {
    // NSURLConnection knows no time-out for the whole load, which some cases need for their end.
    let faces = fault.resourceTimeout == nil ? faces : faces.filter(\.hasResourceTimeout)
    let breaches = try await withThrowingTaskGroup(of: [String].self) { group in
      for face in faces {
        group.addTask {
          var run = FaultRun(fault, on: face)
          try await run.run()
          return run.breaches
        }
      }
      return try await group.reduce([], +).sorted()
    }
    for breach in breaches { Issue.record("\(breach)") }
  }
}
