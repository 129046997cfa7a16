// SPDX-License-Identifier: Apache-2.0
import Locking

/// The task of an `async` call, which may be cancelled before there is one.
final class RunningTask: Sendable {
  private enum State {
    case none, cancelled
    case running(URLSessionTask)
  }

  private let state = Locked(State.none)

  /// The task is made; if the call was cancelled meanwhile, so is the task.
  func adopt(_ task: URLSessionTask) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .running(task)
      return false
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task: URLSessionTask? = state.withLock { state in
      defer { state = .cancelled }
      if case .running(let task) = state { return task }
      return nil
    }
    task?.cancel()
  }
}
