// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Transport

/// Bodies of HTTP/2 that end without END_STREAM, by frames that break the connection, by resets and by closes (U2, U9).
/// nghttp2 closes its streams without an error when it ends a session.
@Suite struct StreamCutTests {
  @Test(arguments: ClientKind.streaming, [false, true])
  func `a cut body is neither a success nor stored, and so is its neighbour's (U2, U9)`(
    kind: ClientKind, hasLength: Bool
  ) async throws {
    // What is late costs its whole time-out: each way with one kind of client, or all with all.
    let turn = (ClientKind.streaming.firstIndex(of: kind) ?? 0) + (hasLength ? 1 : 0)
    let isThorough = ProcessInfo.processInfo.environment["WORKBENCH_THOROUGH"] != nil
    let ways = CutWay.all.enumerated().filter {
      isThorough || $0.offset % ClientKind.streaming.count == turn % ClientKind.streaming.count
    }
    try await expectNoBreach(of: ways.map(\.element), kind, hasLength: hasLength)
  }

  @Test(arguments: ClientKind.streaming)
  func `a body with a length that RST_STREAM cuts without an error is no success (H2-02)`(kind: ClientKind) async throws
  {
    try await expectNoBreach(of: CutWay.resetsWithoutError, kind, hasLength: true)
  }

  /// By itself, since not every libcurl shows the difference.
  @Test(arguments: ClientKind.streaming)
  func `a body without length that RST_STREAM cuts without an error is no success (H2-02)`(
    kind: ClientKind
  ) async throws {
    guard CurlFacts.current.tellsResets else {
      // It looks as a whole one does (DifferencesFromApple).
      return
    }
    try await expectNoBreach(of: CutWay.resetsWithoutError, kind, hasLength: false)
  }

  @Test func `there are 29 ways`() {
    let names = (CutWay.all + CutWay.resetsWithoutError).map(\.name)
    #expect(names.count == 29 && Set(names).count == 29)
  }

  private func expectNoBreach(of ways: [CutWay], _ kind: ClientKind, hasLength: Bool) async throws {
    var run = CutRun(kind, hasLength: hasLength)
    for way in ways { try await run.run(way) }
    for breach in run.breaches { Issue.record("\(kind.rawValue), \(hasLength ? "with" : "without") length: \(breach)") }
  }
}
