// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Locking

/// A signal has asked the command to end. It ends with 128 and the signal's number, as a shell reports it.
struct Interrupted: Error {
  /// The signal: SIGINT, SIGTERM or SIGHUP.
  var signal: Int32

  /// The exit status: 130, 143 or 129.
  var status: Int32 { 128 + signal }
}

/// Turns Ctrl-C and a request to end into the end of a task, so that its children end with it.
enum Interruption {
  private struct State {
    var signal: Int32?
    var cancel: (@Sendable () -> Void)?
  }

  /// Runs `body`; SIGINT, SIGTERM or SIGHUP cancels it. A second signal ends the process at once.
  ///
  /// - Throws: `Interrupted` when `body` ends with a `CancellationError` after a signal; whatever else it throws.
  static func cancelling<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let state = Locked(State())
    let sources = await watch { interrupt(state, by: $0) }
    defer { for source in sources { source.cancel() } }
    let task = Task { try await body() }
    let isLate = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.signal != nil
    }
    if isLate { task.cancel() }
    do {
      return try await task.value
    } catch is CancellationError {
      throw Interrupted(signal: state.withLock { $0.signal } ?? SIGINT)
    }
  }

  /// Returns once the signals are caught: when the body has printed something, a reader may answer with one.
  private static func watch(
    _ caught: @escaping @Sendable (Int32) -> Void
  ) async -> [any DispatchSourceSignal] {
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { caught(number) }
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.activate()
      }
      sources.append(source)
    }
    return sources
  }

  private static func interrupt(_ state: Locked<State>, by signal: Int32) {
    let (isSecond, cancel) = state.withLock { state in
      defer { state.signal = state.signal ?? signal }
      return (state.signal != nil, state.cancel)
    }
    if isSecond {
      KeyMode.restore()
      _exit(128 + signal)
    }
    cancel?()
  }
}
