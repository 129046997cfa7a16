// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

@Suite(.exitTests, .inOrder) struct ConnectionStressTests {
  private struct Counts {
    var descriptors = ConnectionStressTests.descriptors()
    var threads = ConnectionStressTests.threads()
  }

  /// The counts once they are as wanted, or after so many seconds.
  private static func counts(
    atMost seconds: TimeInterval = TestMachine.patience, _ areWanted: @escaping @Sendable (Counts) -> Bool
  ) async throws -> Counts {
    try await onOwnThread {
      runLoop(atMost: seconds) { areWanted(Counts()) }
      return Counts()
    }
  }

  fileprivate static func descriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }

  /// Threads but those of Dispatch's pool: each run of a loop with a limit arms a Dispatch timer, and the threads that
  /// serve those stay idle for some seconds.
  fileprivate static func threads() -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
      return name.map { !$0.contains("overcommit") } ?? false
    }
  }

  @Test func `200 connections on worker loops, half cancelled from elsewhere: one end or silence each`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/body?size=300KiB&seed=4")
    let body = SeededBody(seed: 4).bytes(0..<300 << 10)
    try await onOwnThread {
      let workers = (0..<4).map { _ in LoopThread(.default) }
      let delegates = (0..<200).map { _ in RecordingDelegate() }
      var cancelled = Set<Int>()
      var connections: [NSURLConnection?] = []
      for (number, delegate) in delegates.enumerated() {
        let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
        connection?.schedule(in: workers[number % 4].loop.value, forMode: .default)
        connection?.start()
        connections.append(connection)
        if Bool.random() { cancelled.insert(number) }
      }
      let victims = cancelled.shuffled().map { connections[$0] }
      DispatchQueue.concurrentPerform(iterations: victims.count) { number in
        if number % 3 == 0 { Thread.sleep(forTimeInterval: .random(in: 0...0.02)) }
        victims[number]?.cancel()
      }
      for (number, delegate) in delegates.enumerated() where !cancelled.contains(number) {
        #expect(delegate.waitForEnd(60), "\(number): \(delegate.calls)")
        Grammar.expectWhole(delegate)
        #expect(Array(delegate.record.withLock { $0.body }) == body)
      }
      for worker in workers { worker.stop() }
      for number in cancelled { Grammar.expectBegun(delegates[number]) }
    }
  }

  @Test func `descriptors and threads come back to where they were`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let server = try LessonServer.running()
      let request = try server.request("/body?size=300KiB&seed=4")
      func round() async throws {
        try await onOwnThread {
          let workers = (0..<4).map { _ in LoopThread(.default) }
          let delegates = (0..<50).map { _ in RecordingDelegate(keepsBody: false) }
          for (number, delegate) in delegates.enumerated() {
            let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
            connection?.schedule(in: workers[number % 4].loop.value, forMode: .default)
            connection?.start()
            if number % 2 == 0 { connection?.cancel() }
          }
          for number in stride(from: 1, to: 50, by: 2) where !delegates[number].waitForEnd() {
            preconditionFailure("connection \(number) did not end: \(delegates[number].calls)")
          }
          for worker in workers { worker.stop() }
        }
      }
      try await round()
      try await round()
      let before = try await ConnectionStressTests.counts(atMost: 3) { _ in false }
      for _ in 0..<4 { try await round() }
      // Threads of the pools and idle connections come and go; 4 rounds of 4 loops would leave dozens of each.
      let after = try await ConnectionStressTests.counts {
        $0.descriptors <= before.descriptors + 4 && $0.threads <= before.threads + 4
      }
      let grown = (after.descriptors - before.descriptors, after.threads - before.threads)
      if grown.0 > 4 || grown.1 > 4 {
        FileHandle.standardError.write(Data("from \(before) to \(after)".utf8))
      }
    }
    #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "")
  }
}
