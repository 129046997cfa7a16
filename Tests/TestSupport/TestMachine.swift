// SPDX-License-Identifier: Apache-2.0
public import Dispatch
import Foundation
import Glibc

/// What tests must know of the machine they run on.
public enum TestMachine {
  /// True if a sanitizer is linked in: everything is slower by a factor then, and memory says nothing.
  public static let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// Seconds to wait for an event that must come, and for a silent peer where the silence is not what a test is about.
  /// Far more than it takes: a test that waits for an event and fails because of a busy machine is worth nothing. Under a
  /// sanitizer a test may wait for its turn on Swift's own threads longer than the 60 s that a request usually has.
  public static let patience: Double = isSanitized ? 300 : 90

  /// True if a limit of a second or two can be what a test is about: under a sanitizer all take many times as long.
  public static let keepsTime = !isSanitized

  /// How many times a test does what it repeats: fewer under a sanitizer, where one I/O thread has all tests to serve.
  public static func repetitions(_ count: Int) -> Int { isSanitized ? count / 20 : count }

  /// The cases of a long row of like ones, such as a response that is cut at each of its bytes: every third under a
  /// sanitizer, which looks for races and stray reads; what each case leads to is tested without one.
  public static func sample<Case>(_ cases: [Case]) -> [Case] {
    isSanitized ? stride(from: 0, to: cases.count, by: 3).map { cases[$0] } : cases
  }

  /// A time-out of a test's transfer, in which a sanitizer must not let a busy thread run; one that is short is what the
  /// test is about, and stays.
  public static func generous(_ timeout: Duration) -> Duration {
    isSanitized && timeout >= .seconds(10) ? timeout * 6 : timeout
  }
}

extension DispatchSemaphore {
  /// Waits for an event that must come; false when it did not.
  public func waitPatiently() -> Bool {
    wait(timeout: .now() + TestMachine.patience) == .success
  }
}

/// True if something can be read from `descriptor` within so many seconds, or its other end was closed. A signal, such as that of
/// a child's end, does not end the wait.
public func isReadable(_ descriptor: Int32, within seconds: Double) -> Bool {
  let limit = ContinuousClock.now.advanced(by: .seconds(seconds))
  var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while true {
    let rest = max(0, (limit - .now) / .milliseconds(1))
    let count = poll(&watched, 1, Int32(rest.rounded(.up)))
    guard count < 0, errno == EINTR else { return count > 0 }
  }
}

/// Runs `body` on a thread of its own, so that waiting in it starves no other test.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

/// Waits for something that no event announces, such as the last reference to go. It pauses between two looks, for a loop
/// without pauses takes the processor from what it waits for, and on its thread: Swift's sleep opens descriptors, which
/// some tests count.
/// - Throws: when it did not come to be.
public func eventually(_ isSo: () -> Bool) async throws {
  let limit = ContinuousClock.now.advanced(by: .seconds(TestMachine.patience))
  var looks = 0
  while !isSo() {
    guard ContinuousClock.now < limit else { throw NeverSo() }
    await Task.yield()
    looks += 1
    if looks > 100 { usleep(500) }
  }
}

/// What was waited for never came to be.
public struct NeverSo: Error, CustomStringConvertible {
  /// A sentence for the test's report.
  public let description = "it never became so"
}
