// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import TestSupport
import Testing
import Timeline

/// Hears of every callback of every connection in this process and fails the tests when a sequence is not in the language
/// of A.4. A delegate may lack methods, so any call may be missing; what comes must come in order, and nothing
/// comes after an end.
final class GrammarWatch: TimelineRecorder {
  static let shared = GrammarWatch()

  /// How far a connection has come.
  struct Course {
    enum Phase: Int {
      case before, response, data, over
    }

    private(set) var phase = Phase.before
    private(set) var calls: [String] = []

    /// A call comes; false when it must not come now.
    mutating func take(_ name: String, _ detail: String) -> Bool {
      calls.append(name + detail)
      guard phase != .over else { return false }
      switch (name, detail) {
      case ("connection(_:didReceive:)", "response"): phase = .response
      case ("connection(_:didReceive:)", "data"),
        ("connection(_:didWriteData:totalBytesWritten:expectedTotalBytes:)", _):
        phase = .data
      case ("connectionDidFinishLoading(_:)", _), ("connection(_:didFailWithError:)", _),
        ("connectionDidFinishDownloading(_:destinationURL:)", "end"):
        phase = .over
      case ("connectionDidFinishDownloading(_:destinationURL:)", _), ("connection(_:willCacheResponse:)", _),
        ("connection(_:didCancel:)", _):
        break
      default: return phase == .before
      }
      return true
    }
  }

  private struct State {
    var courses: [UInt64: Course] = [:]
    var breaches: [String] = []
    var second: (any TimelineRecorder)?
  }

  private let state = Locked(State())

  /// Records from now on, with `second` besides.
  func watch(with second: (any TimelineRecorder)? = nil) {
    state.withLock { $0.second = second }
    Timeline.install(self)
  }

  func record(_ event: TimelineEvent, payload: TimelineEvent.Payload) {
    let second = state.withLock { state in
      if case .callback(let name, let detail) = event.kind, name.hasPrefix("connection") {
        if !state.courses[event.subject, default: Course()].take(name, detail) {
          state.breaches.append(state.courses[event.subject]?.calls.joined(separator: ", ") ?? "")
        }
      }
      return state.second
    }
    second?.record(event, payload: payload)
  }

  /// The sequences that broke the contract since the last time.
  func takeBreaches() -> [String] {
    state.withLock { state in
      defer { state.breaches = [] }
      return state.breaches
    }
  }
}

/// Has a suite's callbacks watched, whatever delegates its tests use.
struct InOrder: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // A test that records has its turn to itself.
    await RecordingTurn.run { if !Timeline.isRecording { GrammarWatch.shared.watch() } }
    try await function()
    for breach in GrammarWatch.shared.takeBreaches() { Issue.record("A.4 is broken: \(breach)") }
  }
}

extension Trait where Self == InOrder {
  /// Every callback of every connection must come in the order of A.4.
  static var inOrder: InOrder { InOrder() }
}
