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
    var load: Load?
    var task: URLSessionTask?
  }

  private let challenge: LoadChallenge
  private let state: Locked<State>

  init(_ challenge: LoadChallenge, of load: Load, task: URLSessionTask) {
    self.challenge = challenge
    state = Locked(State(load: load, task: task))
  }

  /// The task, until the answer.
  var task: URLSessionTask? { state.withLock { $0.task } }

  /// Takes the first answer and ignores the others.
  func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
    let load = state.withLock { state in
      state.task = nil
      return state.load.take()
    }
    switch disposition {
    case .useCredential: load?.answer(challenge, .use(credential))
    case .performDefaultHandling: load?.answer(challenge, .performDefault)
    case .cancelAuthenticationChallenge: load?.answer(challenge, .cancel(.cancelled))
    case .rejectProtectionSpace: load?.answer(challenge, .rejectSpace)
    }
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
