// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Locking
import URLLoading

/// One challenge on its way through the delegates of a task. It is the challenge's `sender`, too, so that a default body,
/// which is given only session and challenge, finds the task; and a delegate that answers the sender is understood.
final class TaskChallenge: NSObject, URLAuthenticationChallengeSender, Sendable {
  /// The handler that a delegate is given to answer with.
  typealias Handler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

  private struct State {
    /// Both are let go with the answer, so that a challenge that is kept for long keeps nothing else.
    var deliver: (@Sendable (ChallengeAnswer, _ forAll: Bool) -> Void)?
    var task: URLSessionTask?
    /// The asynchronous method that runs.
    var method: Task<Void, Never>?
    var isMethodMissing = false
    /// True if the session's own delegate is asked at its level, whose answer counts for all tasks.
    var countsForAll = false
  }

  private let state: Locked<State>

  /// The answer of the session's delegate to the same question of another task.
  private let known: @Sendable () -> ChallengeAnswer?

  /// `deliver` takes the first answer, on any thread, and whether it counts for all tasks of the session.
  init(
    of task: URLSessionTask, known: @escaping @Sendable () -> ChallengeAnswer? = { nil },
    deliver: @escaping @Sendable (ChallengeAnswer, _ forAll: Bool) -> Void
  ) {
    state = Locked(State(deliver: deliver, task: task))
    self.known = known
  }

  /// The task, until the answer.
  var task: URLSessionTask? { state.withLock { $0.task } }

  /// Takes the first answer and ignores the others.
  func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
    switch disposition {
    case .useCredential: give(.use(credential))
    case .performDefaultHandling: give(.performDefault)
    case .cancelAuthenticationChallenge: give(.cancel(.cancelled))
    case .rejectProtectionSpace: give(.rejectSpace)
    }
  }

  private func give(_ answer: ChallengeAnswer) {
    let (deliver, method, forAll) = state.withLock { state in
      state.task = nil
      return (state.deliver.take(), state.method.take(), state.countsForAll)
    }
    method?.cancel()
    deliver?(answer, forAll)
  }

  /// A delegate is about to be asked: the session's own at its level, whose answer counts for all tasks, or one whose answer
  /// counts for this task. False where the answer is known, and was given.
  func willAsk(forAll: Bool) -> Bool {
    state.withLock { $0.countsForAll = forAll }
    guard forAll, let answer = known() else { return true }
    give(answer)
    return false
  }

  // MARK: Asynchronous methods

  /// Calls an asynchronous method. `answer` gets what it returns; where only its default body ran, `next` runs, on the
  /// delegate queue. The method begins at once and on this thread, so that a class that has none needs no other to find
  /// that out. It is cancelled when another answer comes before it.
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
