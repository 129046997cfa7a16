// SPDX-License-Identifier: Apache-2.0

/// One test at a time may record the timeline, which is one for the whole process, though suites run side by side.
public actor RecordingTurn {
  private static let shared = RecordingTurn()
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Runs `body` while no other test records.
  public static func run<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
    await shared.take()
    do {
      let value = try await body()
      await shared.leave()
      return value
    } catch {
      await shared.leave()
      throw error
    }
  }

  private func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
