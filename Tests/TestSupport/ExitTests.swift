// SPDX-License-Identifier: Apache-2.0
public import Testing

import class Foundation.Thread

/// For suites with exit tests: each of their jobs gets a thread of its own. Swift Testing waits for the process of an exit
/// test with a blocking read, which takes one or two threads of Swift's pool; the pool has one for each processor, so two such
/// processes stopped all other tests of the run for as long as they lived.
public struct ExitTests: SuiteTrait, TestTrait, TestScoping {
  /// Each test of the suite has it.
  public let isRecursive = true

  /// Runs the test and its children on such threads.
  public func provideScope(
    for _: Test, testCase _: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadForEachJob()) { try await function() }
  }
}

extension Trait where Self == ExitTests {
  /// Each job of the suite's tests gets a thread of its own.
  public static var exitTests: Self { ExitTests() }
}

private final class ThreadForEachJob: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    Thread.detachNewThread { unsafe job.runSynchronously(on: executor) }
  }
}
