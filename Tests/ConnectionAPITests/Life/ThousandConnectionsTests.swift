// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// LC-01 and LC-06 for connections: a thousand in one loop, half of them cancelled at any time from anywhere.
@Suite(.exitTests, .inOrder) struct ThousandConnectionsTests {
  private static let count = 1000

  @Test(.enabled(if: TestMachine.isSanitized))
  func `1,000 connections in one loop, in a process that a sanitizer watches: one end or silence each`() async throws {
    let server = try LessonServer.running()
    for _ in 0..<2 { #expect(try await Self.round(port: Int(server.port)) == "") }
  }

  /// Not under a sanitizer, which needs memory of its own and measures itself in every process that ends.
  @Test(.enabled(if: !TestMachine.isSanitized))
  func `1,000 connections in one loop: one end or silence each, and nothing grows`() async throws {
    let server = try LessonServer.running()
    let port = Int(server.port)
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [port = port as Int] in
      try await ThousandConnectionsTests.run(port: port)
    }
    #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "")
  }

  /// In a process of its own; the server is in the parent.
  private static func run(port: Int) async throws {
    for _ in 0..<2 { report(try await round(port: port)) }
    ProcessUsage.returnFreeMemory()
    let before = (ProcessUsage.descriptors, ProcessUsage.threads, ProcessUsage.resident)
    for _ in 0..<4 { report(try await round(port: port)) }
    // Threads of the system's pools, and idle connections, go some seconds after their last work.
    _ = try await onOwnThread {
      runLoop(atMost: 25) { ProcessUsage.descriptors <= before.0 + 4 && ProcessUsage.threads <= before.1 + 4 }
    }
    ProcessUsage.returnFreeMemory()
    let after = (ProcessUsage.descriptors, ProcessUsage.threads, ProcessUsage.resident)
    let isSame = after.0 <= before.0 + 4 && after.1 <= before.1 + 4 && after.2 <= before.2 + (8 << 20)
    if !isSame { report("from \(before) to \(after)") }
  }

  /// To the parent.
  private static func report(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }

  /// Starts all, cancels about half, waits for the others; what was wrong, a line each.
  private static func round(port: Int) async throws -> String {
    guard let url = URL(string: "http://127.0.0.1:\(port)/body?size=20KiB&seed=4") else { throw URLError(.badURL) }
    let delegates = (0..<count).map { _ in RecordingDelegate(keepsBody: false) }
    let cancelled = (0..<count).map { _ in Bool.random() }
    let cancels = DispatchGroup()
    try await onOwnThread {
      for (number, delegate) in delegates.enumerated() {
        let connection = NSURLConnection(request: URLRequest(url: url), delegate: delegate)
        guard cancelled[number] else { continue }
        let delay = DispatchTimeInterval.microseconds(.random(in: 0...500_000))
        DispatchQueue.global().asyncAfter(deadline: .now() + delay, group: cancels) { connection?.cancel() }
      }
      RunLoop.current.run()  // returns when the last connection has let go
    }
    try await onOwnThread { cancels.wait() }
    return delegates.enumerated().map { number, delegate in
      let isRight = cancelled[number] ? Grammar.isBegun(delegate.calls) : Grammar.isWhole(delegate.calls)
      let isOnce = delegate.record.withLock { $0.overlaps } == 0
      let isWrong = !isRight || !isOnce || (!cancelled[number] && !delegate.calls.hasSuffix("f"))
      return isWrong ? "\(number): \(delegate.calls)\n" : ""
    }.joined()
  }
}

extension DispatchQueue {
  /// `asyncAfter` for a group that is entered at once, so that waiting for it includes what is still to come.
  fileprivate func asyncAfter(deadline: DispatchTime, group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    asyncAfter(deadline: deadline) {
      body()
      group.leave()
    }
  }
}
