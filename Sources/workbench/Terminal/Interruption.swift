// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Locking

/// Turns Ctrl-C and a request to end into the end of a task, so that its children end with it.
enum Interruption {
  private struct State {
    var isInterrupted = false
    var cancel: (@Sendable () -> Void)?
  }

  /// Runs `body`; SIGINT, SIGTERM or SIGHUP cancels it. A second signal ends the process at once.
  static func cancelling<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let state = Locked(State())
    let sources = await watch { interrupt(state) }
    defer { sources.forEach { $0.cancel() } }
    let task = Task { try await body() }
    let isLate = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.isInterrupted
    }
    if isLate { task.cancel() }
    return try await task.value
  }

  /// Returns once the signals are caught: when the body has printed something, somebody may answer with one.
  private static func watch(_ caught: @escaping @Sendable () -> Void) async -> [any DispatchSourceSignal] {
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: caught)
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.activate()
      }
      sources.append(source)
    }
    return sources
  }

  private static func interrupt(_ state: Locked<State>) {
    let (isSecond, cancel) = state.withLock { state in
      defer { state.isInterrupted = true }
      return (state.isInterrupted, state.cancel)
    }
    if isSecond { _exit(130) }
    cancel?()
  }
}
