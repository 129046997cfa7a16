// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// One challenge on its way through the delegates of a task. It is the challenge's `sender`, too, so that a default body,
/// which is given only session and challenge, finds the task; and a delegate that answers the sender is understood.
final class TaskChallenge: NSObject, URLAuthenticationChallengeSender, Sendable {
  /// What a delegate is given to answer with.
  typealias Handler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  private struct State {
    /// Both are let go with the answer, so that a challenge that is kept for long keeps nothing else.
    var hand: (@Sendable (ChallengeAnswer) -> Void)?
    var task: URLSessionTask?
    /// The asynchronous method that runs.
    var method: Task<Void, Never>?
    var isMethodMissing = false
  }

  private let state: Locked<State>

  /// `hand` takes the first answer, on any thread.
  init(of task: URLSessionTask, hand: @escaping @Sendable (ChallengeAnswer) -> Void) {
    state = Locked(State(hand: hand, task: task))
  }

  /// The task, until the answer.
  var task: URLSessionTask? { state.withLock { $0.task } }

  /// Takes the first answer and ignores the others.
  func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
    let (hand, method) = state.withLock { state in
      state.task = nil
      return (state.hand.take(), state.method.take())
    }
    method?.cancel()
    switch disposition {
    case .useCredential: hand?(.use(credential))
    case .performDefaultHandling: hand?(.performDefault)
    case .cancelAuthenticationChallenge: hand?(.cancel(.cancelled))
    case .rejectProtectionSpace: hand?(.rejectSpace)
    }
  }

  // MARK: Asynchronous methods

  /// Calls an asynchronous method. `answer` gets what it returns; where only its default body ran, `next` goes on, on the
  /// delegate queue. The method begins at once and on this thread, so that a class that has none needs no other to find
  /// that out. It is cancelled when somebody else answers before it.
  func ask(
    _ method: @escaping @Sendable () async -> (URLSession.AuthChallengeDisposition, URLCredential?),
    answer: @escaping Handler, next: @escaping @Sendable (URLSessionTask) -> Void
  ) {
    let running = Task.immediate {
      let (disposition, credential) = await method()
      let (isMissing, task) = state.withLock { state in
        defer { state.isMethodMissing = false }
        return (state.isMethodMissing, state.task)
      }
      guard isMissing else { return answer(disposition, credential) }
      task?.mailbox.post { if let task { next(task) } }
    }
    state.withLock { $0.method = running }
  }

  /// Called by the default bodies of the asynchronous methods.
  func noteMissingMethod() {
    state.withLock { $0.isMethodMissing = true }
  }

  // MARK: URLAuthenticationChallengeSender

  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
    answer(.useCredential, credential)
  }

  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {
    answer(.useCredential, nil)
  }

  func cancel(_ challenge: URLAuthenticationChallenge) {
    answer(.cancelAuthenticationChallenge, nil)
  }

  func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
    answer(.performDefaultHandling, nil)
  }

  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
    answer(.rejectProtectionSpace, nil)
  }
}
